import { expect, test } from 'vitest';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { noNotices } from '../../../../main/core/domain/notices.ts';
import { PortError, type WireListener } from '../../../../main/core/domain/wire.ts';
import type { Till, TillLink } from '../../../../main/core/lane/till-port.ts';
import { createZvtTill } from '../../../../main/tills/zvt/till.ts';
import { ManualClock, settled } from '../../support/manual-clock.ts';
import { ScriptedViews } from './support.ts';

/** A till on an adapter that has another name each time. */
class Counter {
  readonly clock = new ManualClock();
  readonly commands = new ScriptedViews();
  readonly till: Till;
  /** The result of the next opening: the adapter's path, or an error. */
  next: string | Error = '/dev/ttyUSB0';
  listener: WireListener | null = null;
  closed = 0;

  constructor() {
    this.till = createZvtTill({
      settings: {
        protocol: 'zvt',
        transport: 'serial',
        path: 'usb:0403:6001:A50285BI',
        baudRate: 9600,
        stopBits: 2,
      },
      currency: 'DKK',
      beacons: ['QR'],
      laneName: 'Check-out 1',
      softwareVersion: '1.2.3',
      clock: this.clock,
      log: silentLog,
      notices: noNotices,
      openSerialWire: async (_port, listener) => {
        if (typeof this.next !== 'string') throw this.next;
        this.listener = listener;
        return { at: this.next, write: async () => {}, close: async () => void (this.closed += 1) };
      },
    });
  }

  async open(): Promise<this> {
    await this.till.open(this.commands);
    await settled();
    return this;
  }
  get link(): TillLink | undefined {
    return this.commands.links.at(-1);
  }
}

test.each([
  [new PortError('absent', 'it is not there'), 'absent'],
  [new PortError('busy', 'it is used by minicom (process 4711)'), 'busy'],
  [new PortError('failed', 'it could be any of two'), 'failed'],
  [new Error('something else'), 'failed'],
])('%s: told as it is, tried again, and open as soon as it can be', async (why, state) => {
  const counter = new Counter();
  counter.next = why;
  await counter.open();
  expect(counter.link).toEqual({ state, detail: why.message, heardAtMs: null });
  expect(counter.till.address).toBe('serial:usb:0403:6001:A50285BI');
  counter.next = '/dev/ttyUSB3';
  await counter.clock.pass(30_000);
  expect([counter.link?.state, counter.till.address]).toEqual(['open', 'serial:/dev/ttyUSB3']);
});

test('when the till was heard is known also after its cable was out, and nothing is said to be heard since', async () => {
  const counter = await new Counter().open();
  expect(counter.link).toEqual({ state: 'open', detail: null, heardAtMs: null });
  await counter.clock.pass(7_000);
  counter.listener?.data(Uint8Array.of(6));
  const heardAtMs = counter.clock.wallMs();
  expect(counter.link).toEqual({ state: 'connected', detail: null, heardAtMs });
  await counter.clock.pass(12_000);
  counter.listener?.lost('the port is dead');
  expect(counter.link).toEqual({ state: 'absent', detail: 'the port is dead', heardAtMs });
  expect(counter.till.address).toBe('serial:usb:0403:6001:A50285BI');
  counter.next = '/dev/ttyUSB1';
  await counter.clock.pass(250);
  expect([counter.link, counter.till.address, counter.closed]).toEqual([
    { state: 'open', detail: null, heardAtMs },
    'serial:/dev/ttyUSB1',
    1,
  ]);
});
