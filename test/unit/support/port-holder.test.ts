import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { portHolder } from '../../../main/support/port-holder.ts';

const onLinux = test.skipIf(process.platform !== 'linux');
const server = createServer();
afterEach(() => void server.close());
const listening = async (host: string): Promise<number> => {
  server.listen(0, host);
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
};

onLinux.each(['127.0.0.1', '::1'])(
  'who listens at %s is named by process and command',
  async (host) => {
    const port = await listening(host);
    const holder = portHolder(port);
    expect(holder).toContain(`process ${process.pid} (`);
    expect(holder).toContain('node');
  },
);

onLinux('a command cannot say more than one line, nor for long', async () => {
  const program =
    "const s=require('net').createServer().listen(0,'127.0.0.1',()=>console.log(s.address().port))";
  const child = spawn(process.execPath, [
    '-e',
    program,
    '\u001b[2J\n{"level":"info"}',
    'x'.repeat(5_000),
  ]);
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  const holder = portHolder(Number(port.toString()));
  child.kill();
  expect(holder).toContain(`process ${child.pid}`);
  // eslint-disable-next-line no-control-regex
  expect(holder).not.toMatch(/[\u0000-\u001f]/);
  expect(holder.length).toBeLessThan(300);
});

test('of a port at which nobody listens it is another program', () => {
  expect(portHolder(1)).toBe('another program');
});
