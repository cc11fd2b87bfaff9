import { beforeEach, expect, test, vi } from 'vitest';
import { LoopClock } from '../../../../main/core/domain/clock.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { ConcertSerialLink } from '../../../../main/tills/concert/serial-link.ts';
import { Waits } from '../../../../main/tills/http/waits.ts';
import { ZvtExchange } from '../../../../main/tills/zvt/exchange.ts';
import { encodeBlock } from '../../../../main/tills/zvt/serial-framing.ts';
import { ZvtSerialLink } from '../../../../main/tills/zvt/serial-link.ts';
import { becomesReady } from '../../../../main/host/updates/launch.ts';
import { merchantAccess } from '../../../../main/wallets/http/access.ts';
import { Transport } from '../../../../main/wallets/http/transport.ts';
import { profileNamed } from '../../../../main/wallets/v10/v10-profile.ts';
import { getPayment } from '../../../../main/wallets/v10/point-of-sale/point-of-sale-operations.ts';
import { FakeLoop } from '../../support/fake-loop.ts';
import { settled } from '../../support/manual-clock.ts';

/** Longer than any deadline here. */
const stoodStillMs = 120_000;

let loop: FakeLoop;
let clock: LoopClock;
beforeEach(() => {
  loop = new FakeLoop();
  clock = new LoopClock(loop);
  clock.watch();
});

test('ZVT, T3: an answer that came during the standstill counts', async () => {
  const unanswered = vi.fn();
  const send = vi.fn(
    (_apdu: Uint8Array, sent?: (how: { delivered: boolean; copies: number }) => void) =>
      sent?.({ delivered: true, copies: 1 }),
  );
  const exchange = new ZvtExchange(
    { send, isUp: () => true, unanswered, close() {} },
    clock,
    silentLog,
  );
  const result = exchange.send(Uint8Array.of(0x04, 0x0f, 0), { decisive: true });
  await settled();
  loop.send(() => exchange.answered({ positive: true }, false));
  loop.standStill(stoodStillMs);
  loop.pass(1_000);
  expect(await result).toBe('positive');
  expect(unanswered).not.toHaveBeenCalled();
});

test('ZVT, T3: an answer to an older packet is not taken for one to the result, however long it lay in the port', async () => {
  const send = vi.fn(
    (_apdu: Uint8Array, sent?: (how: { delivered: boolean; copies: number }) => void) =>
      sent?.({ delivered: true, copies: 2 }),
  );
  const exchange = new ZvtExchange(
    { send, isUp: () => true, unanswered() {}, close() {} },
    clock,
    silentLog,
  );
  const first = exchange.send(Uint8Array.of(0x06, 0xd1, 0));
  await settled();
  exchange.answered({ positive: true }, false);
  expect(await first).toBe('positive');
  // The answer to the packet's copy is still to come.
  const settledWith = vi.fn();
  void exchange.send(Uint8Array.of(0x04, 0x0f, 0), { decisive: true, settled: settledWith });
  await settled();
  loop.send(() => exchange.answered({ positive: true }, false));
  loop.standStill(stoodStillMs);
  await settled();
  loop.pass(100);
  await settled();
  expect(send).toHaveBeenCalledTimes(2);
  expect(settledWith).not.toHaveBeenCalled();
});

test('ZVT on a cable, T1 and T2: the rest of a block and an acknowledgement that came during the standstill are read first', () => {
  const written: number[] = [];
  const received = vi.fn();
  const link = new ZvtSerialLink({ clock, log: silentLog, listener: { received } });
  const write = (bytes: Uint8Array): Promise<void> =>
    Promise.resolve(void written.push(bytes[0] as number));
  link.attach({ write, close: () => Promise.resolve() });
  const sent = vi.fn();
  link.send(Uint8Array.of(0x04, 0x0f, 0), sent);
  const block = encodeBlock(Uint8Array.of(0x80, 0, 0));
  link.data(Uint8Array.of(0x06, ...block.subarray(0, 3)));
  link.send(Uint8Array.of(0x06, 0x0f, 0));
  loop.send(() => link.data(block.subarray(3)));
  loop.send(() => link.data(Uint8Array.of(0x06)));
  loop.standStill(stoodStillMs);
  loop.pass(10_000);
  expect(received).toHaveBeenCalledOnce();
  // Two blocks, and 06 for the till's.
  expect(written).toEqual([0x10, 0x10, 0x06]);
});

test('Concert on a cable: an acknowledgement that came during the standstill is read before the block is sent again', async () => {
  const written: number[] = [];
  const link = new ConcertSerialLink({
    clock,
    log: silentLog,
    listener: { received() {}, unended() {}, cancelled() {}, mayAsk: () => true },
  });
  link.attach({
    write: (bytes) => Promise.resolve(void written.push(bytes[0] as number)),
    close: () => Promise.resolve(),
  });
  const taken = link.send(Uint8Array.of(0x41));
  link.data(Uint8Array.of(0x06));
  loop.send(() => link.data(Uint8Array.of(0x06)));
  loop.standStill(stoodStillMs);
  loop.pass(10_000);
  expect(await taken).toBe(true);
  // ENQ and the block, once each.
  expect(written).toEqual([0x05, 0x02]);
});

test('HTTP API and Nexo: a wait ends with what has changed, not with its time', async () => {
  let changed = (_laneId: string | null): void => {};
  const waits = new Waits({ clock, subscribe: (listener) => ((changed = listener), () => {}) });
  let isDone = false;
  const endedWith = waits
    .until(() => isDone, 30_000, new AbortController().signal)
    .then(() => isDone);
  loop.send(() => {
    isDone = true;
    changed(null);
  });
  loop.standStill(stoodStillMs);
  await settled();
  loop.pass(1_000);
  expect(await endedWith).toBe(true);
});

test('a provider: an answer that came during the standstill counts', async () => {
  let answer = (): void => {};
  const transport = new Transport({
    baseUrl: 'https://service.example/',
    access: merchantAccess('the-key'),
    profile: profileNamed('generic'),
    clock,
    log: silentLog,
    send: (_request, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        answer = () => resolve({ status: 404, body: '', retryAfterMs: null });
      }),
  });
  const called = transport
    .call(getPayment, { paymentId: '6a0e0000-0000-4000-8000-000000000001' })
    .catch((error: Error) => error.name);
  await settled();
  loop.send(() => answer());
  loop.standStill(stoodStillMs);
  loop.pass(1_000);
  expect(await called).toBe('ServiceRefusedError');
});

test("the launcher's minute: a version that becomes ready while the launcher stands still is ready", async () => {
  let isReady = false;
  const ready = becomesReady(() => isReady, 60_000, {
    signal: new AbortController().signal,
    clock,
  });
  await settled();
  loop.send(() => (isReady = true));
  loop.standStill(stoodStillMs);
  for (let passedMs = 0; passedMs < 2_000; passedMs += 250) {
    loop.pass(250);
    await settled();
  }
  expect(await ready).toBe('ready');
});
