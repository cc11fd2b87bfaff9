import { afterEach, expect, test } from 'vitest';
import { Installation } from '../support/installation.ts';
import { NotifySocket, notifyToolMissing } from '../support/notify-socket.ts';

const open: { close(): void | Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

test.skipIf(notifyToolMissing !== null)(`the daemon is ready for systemd when its till can pay (needs ${notifyToolMissing ?? 'nothing more'})`, async () => {
  const systemd = await NotifySocket.open();
  open.push(systemd);
  const shop = await Installation.open({ NOTIFY_SOCKET: systemd.path, WATCHDOG_USEC: '400000' });
  open.push(shop);
  await systemd.hears('STATUS=not set up');
  await systemd.hears('WATCHDOG=1');
  expect(systemd.said).not.toContain('READY=1');

  shop.dropSettings();
  await systemd.hears('READY=1');
  expect(systemd.messages.find((message) => message.includes('READY=1'))).toContain('STATUS=the lane takes payments');

  shop.daemon.child.kill('SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, 100));
  const beats = systemd.said.length;
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(systemd.said).toHaveLength(beats);
  shop.daemon.child.kill('SIGCONT');

  await shop.daemon.end('SIGTERM');
  await systemd.hears('STOPPING=1');
});
