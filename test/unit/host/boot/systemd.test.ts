import { afterEach, expect, onTestFinished, test } from 'vitest';
import { openSystemd } from '../../../../main/host/boot/systemd.ts';
import { systemClock } from '../../../../main/core/domain/clock.ts';
import { type Log, silentLog } from '../../../../main/core/domain/log.ts';
import { NotifySocket, notifyToolMissing } from '../../../support/notify-socket.ts';
import { ManualClock } from '../../support/manual-clock.ts';

let clock = new ManualClock();
afterEach(() => {
  clock = new ManualClock();
});

/** A daemon whose readiness the test changes. */
function daemon(
  environment: Record<string, string> = {},
  { fails = () => false, log = silentLog }: { fails?: () => boolean; log?: Log } = {},
) {
  const messages: string[][] = [];
  let readiness = { isReady: false, words: 'not set up' };
  let listener: () => void = () => {};
  const send = async (variables: readonly string[]): Promise<void> => {
    if (fails()) throw new Error('no such socket');
    messages.push([...variables]);
  };
  const systemd = openSystemd({
    environment: { NOTIFY_SOCKET: '/run/systemd/notify', ...environment },
    pid: 4711,
    clock,
    log,
    send,
  });
  systemd?.watch({
    readiness: () => readiness,
    subscribe: (its) => ((listener = its), () => (listener = () => {})),
  });
  const becomes = (isReady: boolean, words: string): void => {
    readiness = { isReady, words };
    listener();
  };
  return { told: messages, becomes, systemd };
}

test('no service manager, nobody to tell', () => {
  expect(openSystemd({ environment: {}, pid: 1, clock, log: silentLog })).toBeNull();
});

test('it is ready when the lanes take payments, once, and the status follows in words', async () => {
  const { told, becomes, systemd } = daemon();
  await clock.pass(0);
  expect(told).toEqual([['STATUS=not set up']]);
  becomes(false, 'the lane takes no payments: it is starting');
  await clock.pass(0);
  becomes(true, 'the lane takes payments');
  await clock.pass(0);
  becomes(true, 'the lane takes payments');
  becomes(false, 'the lane takes no payments: the wallet service does not answer');
  await clock.pass(0);
  becomes(true, 'the lane takes payments');
  await clock.pass(0);
  systemd?.stopping();
  becomes(false, 'not set up');
  await clock.pass(60_000);
  expect(told.slice(1)).toEqual([
    ['STATUS=the lane takes no payments: it is starting'],
    ['READY=1', 'STATUS=the lane takes payments'],
    ['STATUS=the lane takes no payments: the wallet service does not answer'],
    ['STATUS=the lane takes payments'],
    ['STOPPING=1', 'STATUS=stopping'],
  ]);
});

test('the watchdog hears twice in its period that the loop runs, and only the process that it watches', async () => {
  const watched = daemon({ WATCHDOG_USEC: '30000000', WATCHDOG_PID: '4711' });
  const other = daemon({ WATCHDOG_USEC: '30000000', WATCHDOG_PID: '4712' });
  await clock.pass(60_000);
  expect(watched.told.flat().filter((one) => one === 'WATCHDOG=1')).toHaveLength(5);
  expect(other.told).toEqual([['STATUS=not set up']]);
});

test('what systemd has not taken is sent again, with what is newest, and logged once', async () => {
  const warned: string[] = [];
  let fails = true;
  const { told, becomes } = daemon(
    {},
    { fails: () => fails, log: { ...silentLog, warn: (_, message) => warned.push(message) } },
  );
  becomes(true, 'the lane takes payments');
  await clock.pass(20_000);
  expect(told).toEqual([]);
  fails = false;
  await clock.pass(10_000);
  expect(told).toEqual([['STATUS=the lane takes payments', 'READY=1']]);
  expect(warned).toEqual(['status could not be sent to systemd: trying again']);
});

test('another version that takes over is no stop: systemd would end the launcher too', async () => {
  const { told, becomes, systemd } = daemon({ WATCHDOG_USEC: '30000000' });
  becomes(true, 'the lane takes payments');
  await clock.pass(0);
  told.length = 0;
  await systemd?.leaving();
  becomes(false, 'the lane takes no payments');
  await clock.pass(60_000);
  expect(told).toEqual([['RELOADING=1', 'WATCHDOG=1', 'STATUS=another version is started']]);
});

test.skipIf(notifyToolMissing !== null)(
  `a real socket is told (needs ${notifyToolMissing ?? 'nothing more'})`,
  async () => {
    const socket = await NotifySocket.open();
    onTestFinished(() => socket.close());
    const systemd = openSystemd({
      environment: {
        NOTIFY_SOCKET: socket.path,
        PATH: process.env['PATH'],
        WATCHDOG_USEC: '60000000',
      },
      pid: process.pid,
      clock: systemClock,
      log: silentLog,
    });
    systemd?.watch({
      readiness: () => ({ isReady: true, words: 'all 2 lanes take payments' }),
      subscribe: () => () => {},
    });
    await socket.hears('WATCHDOG=1');
    systemd?.stopping();
    await socket.hears('STOPPING=1');
    expect(socket.said).toEqual([
      'READY=1',
      'STATUS=all 2 lanes take payments',
      'WATCHDOG=1',
      'STOPPING=1',
      'STATUS=stopping',
    ]);
  },
);
