import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { Installation } from '../support/installation.ts';
import { NotifySocket, notifyToolMissing } from '../support/notify-socket.ts';
import { Product, until } from '../support/processes.ts';

const open: { close(): void | Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

test.skipIf(notifyToolMissing !== null)(
  `the daemon is ready for systemd when its till can pay (needs ${notifyToolMissing ?? 'nothing more'})`,
  async () => {
    const systemd = await NotifySocket.open();
    open.push(systemd);
    const shop = await Installation.open({ NOTIFY_SOCKET: systemd.path, WATCHDOG_USEC: '400000' });
    open.push(shop);
    await systemd.hears('STATUS=not set up');
    await systemd.hears('WATCHDOG=1');
    expect(systemd.said).not.toContain('READY=1');

    shop.dropSettings();
    await systemd.hears('READY=1');
    expect(systemd.messages.find((message) => message.includes('READY=1'))).toContain(
      'STATUS=the lane takes payments',
    );

    shop.daemon.child.kill('SIGSTOP');
    // A beat that is under way still arrives, on a busy machine much later.
    const isSilent = async (): Promise<boolean> => {
      const beats = systemd.said.length;
      await new Promise((resolve) => setTimeout(resolve, 600));
      return systemd.said.length === beats;
    };
    await until(isSilent, 'the watchdog to hear nothing of a daemon that hangs');
    shop.daemon.child.kill('SIGCONT');

    await shop.daemon.end('SIGTERM');
    await systemd.hears('STOPPING=1');
  },
);

/** Started as systemd starts it: the watchdog is meant for its id. @returns for `Product` */
function asMainProcess(entry: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-main-process-'));
  open.push({ close: () => rmSync(folder, { recursive: true }) });
  const built = join(import.meta.dirname, '../../out/main', `${entry}.js`);
  const file = join(folder, 'start.mjs');
  writeFileSync(
    file,
    `process.env.WATCHDOG_PID = String(process.pid); await import(${JSON.stringify(pathToFileURL(built).href)});`,
  );
  return file;
}

/** The process ids of a launcher and its daemon. */
function pidsOf({ daemon: { child } }: Installation): [number, number] {
  const pid = child.pid as number;
  return [pid, Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0])];
}
const isRunning = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) && !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));

test.skipIf(notifyToolMissing !== null)(
  `behind its launcher too, and both end together (needs ${notifyToolMissing ?? 'nothing more'})`,
  async () => {
    const systemd = await NotifySocket.open();
    open.push(systemd);
    const shop = await Installation.open(
      { NOTIFY_SOCKET: systemd.path, WATCHDOG_USEC: '400000' },
      asMainProcess('launcher'),
    );
    open.push(shop);
    await systemd.hears('WATCHDOG=1');
    expect(systemd.said).not.toContain('READY=1');
    shop.dropSettings();
    await systemd.hears('READY=1');

    // systemd ends every process of a service, and the launcher its daemon besides.
    const [launcher, daemon] = pidsOf(shop);
    process.kill(daemon, 'SIGTERM');
    await until(
      () => shop.daemon.log().some(({ msg }) => msg === 'stopping'),
      'the daemon to stop',
    );
    process.kill(launcher, 'SIGTERM');
    expect(await shop.daemon.exited).toEqual({ code: 0, signal: null });
    expect(isRunning(daemon)).toBe(false);
    await systemd.hears('STOPPING=1');
  },
);

test.runIf(process.platform === 'linux')(
  'a daemon whose launcher was killed ends, also one that is still starting, and another can start',
  async () => {
    const shop = await Installation.open({}, 'launcher');
    open.push(shop);
    const [, first] = pidsOf(shop);
    await shop.daemon.end('SIGKILL');
    await until(() => !isRunning(first), 'the daemon to end');

    const args = ['--data', join(shop.folder, 'data'), '--port', '0'];
    const killed = new Product('launcher', args);
    const children = `/proc/${killed.child.pid}/task/${killed.child.pid}/children`;
    await until(() => readFileSync(children, 'utf8') !== '', 'the launcher to start a daemon');
    const second = Number(readFileSync(children, 'utf8').split(' ')[0]);
    await killed.end('SIGKILL');
    await until(() => !isRunning(second), 'the daemon that was still starting to end');

    const next = new Product('launcher', args);
    await next.ready();
    // Never two: this one has the folder.
    const beside = new Product('launcher', args);
    expect(await beside.exited).toEqual({ code: 1, signal: null });
    expect(beside.stderr).toContain('is in use by another Tillbeacon');
    await next.end();
  },
);
