import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Log, silentLog } from '../../../../main/core/domain/log.ts';
import { ListenError } from '../../../../main/core/domain/listening-port.ts';
import { serveAtPort } from '../../../../main/counter/app/screens-port.ts';

let folder: string;
let path: string;
let blocker: Server;
let blockedPort: number;
let tried: { port: number; nextFreeIfTaken: boolean }[];
let logged: string[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-screens-port-'));
  path = join(folder, 'screens-port.json');
  blocker = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => blocker.once('listening', resolve));
  blockedPort = (blocker.address() as { port: number }).port;
  tried = [];
  logged = [];
});
afterEach(() => {
  blocker.close();
  rmSync(folder, { recursive: true, force: true });
});

const log: Log = {
  ...silentLog,
  warn: (fields, message) => logged.push(`${message} ${JSON.stringify(fields)}`),
};
const unserved = (port: number, code: string): ListenError =>
  new ListenError(
    'the screens cannot be served',
    { host: '127.0.0.1', port },
    Object.assign(new Error(code), { code }),
  );
/** Starts to listen as the server of the screens does. */
const start = async (at: { port: number; nextFreeIfTaken: boolean }): Promise<{ port: number }> => {
  tried.push(at);
  if (at.port !== blockedPort) return { port: at.port };
  if (!at.nextFreeIfTaken) throw unserved(at.port, 'EADDRINUSE');
  return { port: at.port + 1 };
};
const serve = (about: Partial<Parameters<typeof serveAtPort>[0]> = {}) =>
  serveAtPort({
    requestedPort: null,
    usual: blockedPort,
    pairing: { path, wasUsed: false },
    log,
    start,
    ...about,
  });

test('the first start takes the next free port, says so, and the data folder stays at it', async () => {
  expect(await serve()).toEqual({ port: blockedPort + 1 });
  expect(logged[0]).toContain(`process ${process.pid}`);
  expect(await serve()).toEqual({ port: blockedPort + 1 });
  expect(tried).toEqual([
    { port: blockedPort, nextFreeIfTaken: true },
    { port: blockedPort + 1, nextFreeIfTaken: false },
  ]);
});

test('a start after that does not leave its port to somebody else: it ends, and names who is there', async () => {
  writeFileSync(path, JSON.stringify({ port: blockedPort }));
  await expect(serve()).rejects.toThrow(
    new RegExp(
      `port ${blockedPort}, where .* has its screens: process ${process.pid} \\(.*node.*\\) already listens there.*--port`,
    ),
  );
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ port: blockedPort });
});

test('a data folder that was used before ports were kept has had the usual one', async () => {
  await expect(serve({ pairing: { path, wasUsed: true } })).rejects.toThrow('--port');
  expect(await serve({ pairing: { path, wasUsed: true }, usual: 4180 })).toEqual({ port: 4180 });
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ port: 4180 });
});

test('a port that is named is taken or not, and changes nothing for later', async () => {
  expect(await serve({ requestedPort: 5_000 })).toEqual({ port: 5_000 });
  expect(existsSync(path)).toBe(false);
  await expect(serve({ requestedPort: blockedPort })).rejects.toThrow(
    new RegExp(`port ${blockedPort}: process ${process.pid} \\(.*\\) already listens there`),
  );
});

test('an unreadable file is not guessed at: only the default port is tried', async () => {
  writeFileSync(path, '{"port":');
  await expect(serve()).rejects.toThrow('--port');
});

test('a demonstration takes whichever is free, each time', async () => {
  expect(await serve({ pairing: null })).toEqual({ port: blockedPort + 1 });
  expect(await serve({ pairing: null })).toEqual({ port: blockedPort + 1 });
  expect(tried.every(({ nextFreeIfTaken }) => nextFreeIfTaken)).toBe(true);
});

test('other errors of a port are reported unchanged', async () => {
  await expect(
    serve({ requestedPort: 80, start: () => Promise.reject(new Error('EACCES')) }),
  ).rejects.toThrow('EACCES');
});

test('a port that the system reserves is named with the command that lists such ports', async () => {
  const start = ({ port }: { port: number }) => Promise.reject(unserved(port, 'EACCES'));
  await expect(serve({ requestedPort: 5_000, start })).rejects.toThrow(
    /port 5000: .*excludedportrange protocol=tcp.*; choose another port$/,
  );
  writeFileSync(path, JSON.stringify({ port: 5_000 }));
  await expect(serve({ start })).rejects.toThrow(
    /port 5000, where .* has its screens: .*excludedportrange.*; name another port with --port$/,
  );
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ port: 5_000 });
});
