import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Product, until } from '../support/processes.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
let folder: string;
let data: string;
let products: Product[];
let hub: Server;
let heard: { seq: number; id: unknown }[];
let answers: (seq: number) => number;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-commands-'));
  data = join(folder, 'data');
  products = [];
  heard = [];
  answers = () => 200;
  hub = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.once('end', () => {
      const { seq } = JSON.parse(body) as { seq: number };
      heard.push({ seq, id: request.headers['webhook-id'] });
      response.writeHead(answers(seq)).end();
    });
  });
  await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await Promise.all(products.map((product) => product.end('SIGKILL')));
  hub.close().closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...args: string[]): Product => {
  const product = new Product('callbacks', args, { FORWARD_SECRET: secret });
  products.push(product);
  return product;
};
const seqsOf = (lines: readonly string[]): number[] =>
  lines.map((line) => (JSON.parse(line) as { seq: number }).seq);

test('what arrives is followed and forwarded by programs of their own, whichever of them is killed or goes', async () => {
  writeFileSync(
    join(folder, 'settings.json'),
    JSON.stringify({ subscriptions: [{ scheme: 'apiKey', apiKey: 'the key' }] }),
    { mode: 0o600 },
  );
  const receive = async (): Promise<{ receiver: Product; url: string }> => {
    const receiver = run(
      '--settings',
      join(folder, 'settings.json'),
      '--data',
      data,
      '--port',
      '0',
    );
    return { receiver, ...(await receiver.ready<{ url: string }>()) };
  };
  let { receiver, url } = await receive();
  const callBack = async (...ids: string[]): Promise<void> => {
    const body = JSON.stringify(ids.map((agreement_id) => ({ agreement_id, status: 'Active' })));
    expect(
      (
        await fetch(`${url}/callbacks/agreements`, {
          method: 'POST',
          headers: { authorization: 'the key' },
          body,
        })
      ).status,
    ).toBe(200);
  };
  const target = `http://127.0.0.1:${(hub.address() as AddressInfo).port}/`;
  const forwardArgs = ['forward', target, '--data', data, '--secret-env', 'FORWARD_SECRET'];

  const follower = run('follow', '--data', data, '--since', '0');
  const forwarder = run(...forwardArgs);
  expect(await forwarder.ready()).toEqual({ ready: true, url: target, after: 0 });
  await callBack('a1', 'a2', 'a3');
  await until(() => heard.length === 3 && follower.lines.length === 3, 'three callbacks at both');
  expect((await run(...forwardArgs).exited).code).toBe(1);

  // Killed while a record is being sent: it is sent again with the same id.
  answers = (seq) => (seq === 4 ? 503 : 200);
  await callBack('a4');
  await until(() => heard.length === 4, 'the fourth');
  await forwarder.end('SIGKILL');
  await receiver.end('SIGKILL');
  ({ receiver, url } = await receive());
  answers = (seq) => (seq === 5 ? 400 : 200);
  await callBack('a5', 'a6');
  const again = run(...forwardArgs);
  expect(await again.ready()).toEqual({ ready: true, url: target, after: 3 });
  await until(
    () => heard.some(({ seq }) => seq === 6),
    'the sixth, after the fifth was given up',
    60_000,
  );
  const ids = (seq: number): Set<unknown> =>
    new Set(heard.filter((one) => one.seq === seq).map(({ id }) => id));
  expect([ids(4).size, ids(5).size]).toEqual([1, 1]);
  expect(heard.filter(({ seq }) => seq === 5)).toHaveLength(5);
  await until(() => follower.lines.length === 6, 'the follower to have outlived the receiver');
  expect(seqsOf(follower.lines)).toEqual([1, 2, 3, 4, 5, 6]);

  const letters = run('dead-letters', '--data', data, '--json');
  await letters.exited;
  expect(letters.lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { number: 1, seq: 5, reason: 'status 400', toBeResent: false },
  ]);
  answers = () => 200;
  expect((await run('resend', 'all', '--data', data).exited).code).toBe(0);
  await until(() => heard.filter(({ seq }) => seq === 5).length === 6, 'the dead letter');

  // The reader of the output has gone, so the next line ends the command, without an error.
  const reader = follower.child.stdout;
  reader?.destroy();
  await callBack('a7');
  expect(await follower.exited).toEqual({ code: 0, signal: null });
  expect(follower.stderr).toBe('');

  // A wrong folder is reported, and nothing is created in it.
  const missing = run('dead-letters', '--data', join(folder, 'elsewhere'));
  expect((await missing.exited).code).toBe(1);
  expect(missing.stderr).toContain('there is no such file');
  expect(readdirSync(folder)).not.toContain('elsewhere');

  again.child.kill('SIGTERM');
  expect(await again.exited).toEqual({ code: 0, signal: null });
  for (const { stderr } of [forwarder, again]) expect(stderr).not.toMatch(/MfKQ9r8|the key/);
  if (process.platform !== 'win32')
    for (const name of ['.', ...readdirSync(data)])
      expect(statSync(join(data, name)).mode & 0o077, name).toBe(0);
}, 120_000);
