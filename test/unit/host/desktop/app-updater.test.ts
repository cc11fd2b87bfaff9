import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer, request, type RequestOptions, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { CancellationToken } from 'electron-updater';
import { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { limited } from '../../../../main/host/desktop/app-updater.ts';

/** electron-updater's executor over Node's requests. */
class Executor extends ElectronHttpExecutor {
  override createRequest(options: RequestOptions, onResponse: (response: never) => void): never {
    return request(options, onResponse as never) as never;
  }
}

let folder: string;
let server: Server;
let sent: number;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-app-updater-'));
  sent = 0;
  server = createServer((_, response) => {
    const send = (): void => {
      sent += 100_000;
      // Sends without an end, until the client closes the connection or it is clear that nothing
      // stops it.
      if (sent < 20_000_000) response.write(Buffer.alloc(100_000), send);
      else response.end();
    };
    response.on('close', () => response.destroy());
    send();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  rmSync(folder, { recursive: true, force: true });
});

test('a download without an end is stopped when the feed has sent more than it lists', async () => {
  const executor = new Executor();
  limited(executor)(1_000_000);
  const file = join(folder, 'file');
  const { port } = server.address() as AddressInfo;
  const download = executor.download(new URL(`http://127.0.0.1:${port}/`), file, {
    cancellationToken: new CancellationToken(),
  });
  await expect(download).rejects.toThrow('the server sends more bytes than the feed lists');
  if (existsSync(file)) expect(statSync(file).size).toBeLessThanOrEqual(1_000_000);
});

test('nothing is passed on of the part with which the feed has sent too much', async () => {
  const response = new Readable({ read() {} });
  const executor = {
    createRequest(_options: unknown, onResponse: (response: Readable) => void) {
      onResponse(response);
      return { abort() {} };
    },
  };
  limited(executor)(10);
  let read = 0;
  executor.createRequest({}, (limitedResponse) =>
    limitedResponse.on('data', (part: Uint8Array) => (read += part.length)),
  );
  const refused = once(response, 'error');
  for (const part of [6, 6]) {
    response.push(Buffer.alloc(part));
    await new Promise(setImmediate);
  }
  expect([String((await refused)[0]), read]).toEqual([
    'Error: the server sends more bytes than the feed lists',
    6,
  ]);
});
