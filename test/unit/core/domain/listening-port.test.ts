import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import {
  ListenError,
  listenOn,
  listenProblemOf,
  whyNotListening,
} from '../../../../main/core/domain/listening-port.ts';

const servers: Server[] = [];
const server = (): Server => {
  const made = createServer();
  servers.push(made);
  return made;
};
afterEach(() =>
  Promise.all(servers.splice(0).map((one) => new Promise((done) => one.close(done)))),
);

/** A server whose system refuses each port with a code. */
function refusedWith(code: string): Server {
  const made = server();
  made.listen = ((port: number, host: string) => {
    const error = Object.assign(new Error(`listen ${code}: permission denied ${host}:${port}`), {
      code,
    });
    queueMicrotask(() => made.emit('error', error));
    return made;
  }) as Server['listen'];
  return made;
}

test.each([
  ['EADDRINUSE', 4180, 'linux', 'taken', /another program already listens/],
  // Hyper-V and WSL reserve ranges anew at each start of Windows.
  ['EACCES', 4180, 'win32', 'reserved', /netsh int ipv4 show excludedportrange protocol=tcp/],
  ['EACCES', 80, 'win32', 'reserved', /Windows reserves this port/],
  ['EACCES', 20_007, 'linux', 'reserved', /the system reserves this port/],
  ['EPERM', 20_007, 'linux', 'reserved', /the system reserves this port/],
  ['EACCES', 1_023, 'linux', 'privileged', /below 1024 needs a right/],
  ['EACCES', 443, 'darwin', 'privileged', /below 1024 needs a right/],
  ['EACCES', 1_024, 'linux', 'reserved', /reserves/],
  ['EADDRNOTAVAIL', 4180, 'linux', 'noAddress', /does not have the address 192\.0\.2\.1/],
  ['ENOTFOUND', 4180, 'win32', 'noAddress', /does not have the address 192\.0\.2\.1/],
  ['EAFNOSUPPORT', 4180, 'linux', 'noFamily', /no IPv4/],
  ['EMFILE', 4180, 'linux', 'other', /^the system’s words$/],
] as const)(
  '%s at port %i on %s is “%s”, in plain words',
  (code, port, platform, problem, words) => {
    expect(listenProblemOf(code, port, platform)).toBe(problem);
    expect(whyNotListening(problem, '192.0.2.1', 'the system’s words', platform)).toMatch(words);
  },
);

test('an IPv6 address on a computer without IPv6 is named as such', () =>
  expect(whyNotListening('noFamily', '::1', '')).toContain('no IPv6'));

test('a server listens, and says at which port', async () => {
  const one = server();
  const port = await listenOn(one, 'the screens cannot be served', { host: '127.0.0.1', port: 0 });
  expect(port).toBeGreaterThan(0);
  expect(one.listenerCount('error')).toBe(0);
});

test('a port in use is told with the system’s code and what it is for', async () => {
  const port = await listenOn(server(), 'first', { host: '127.0.0.1', port: 0 });
  const taken = listenOn(server(), 'the screens cannot be served', { host: '127.0.0.1', port });
  await expect(taken).rejects.toMatchObject({
    code: 'EADDRINUSE',
    problem: 'taken',
    message: `the screens cannot be served on 127.0.0.1:${port}: another program already listens there`,
  });
});

test('an address of another computer is told as that', async () => {
  const elsewhere = listenOn(server(), 'the till cannot be listened to', {
    host: '192.0.2.1',
    port: 0,
  });
  await expect(elsewhere).rejects.toThrow(
    /on 192\.0\.2\.1:0: this computer does not have the address/,
  );
});

test('a reserved port is told with what to do', async () => {
  const error = await listenOn(refusedWith('EACCES'), 'the till cannot be listened to', {
    host: '::1',
    port: 20_007,
  }).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ListenError);
  expect(error.message).toMatch(
    /^the till cannot be listened to on \[::1\]:20007: .*excludedportrange.*; choose another port$/,
  );
});

test('a privileged port is told with another sentence', async () => {
  const asked = listenOn(refusedWith('EACCES'), 'the screens cannot be served', {
    host: '127.0.0.1',
    port: 80,
  });
  await (process.platform === 'win32'
    ? expect(asked).rejects.toThrow('Windows reserves')
    : expect(asked).rejects.toThrow(
        /below 1024 needs a right that this user does not have; choose a port from 1024 on$/,
      ));
});
