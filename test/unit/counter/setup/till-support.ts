import { afterEach } from 'vitest';
import { openSerialWire } from '../../../../main/counter/devices/serial-port.ts';
import { TillListener } from '../../../../main/counter/setup/till-listener.ts';
import { blockOf } from '../../../../main/tills/concert/blocks.ts';
import { encodeBcd } from '../../../../main/tills/zvt/bcd.ts';
import { encodeCurrency } from '../../../../main/tills/zvt/currency.ts';
import { encodePacket } from '../../../../main/tills/zvt/packets.ts';
import type { Heard } from '../../../../preload/procedures/setup-till.ts';
import { SerialCable, until } from '../../../support/processes.ts';
import { SteadyClock } from '../../support/steady-clock.ts';

/** What tills send, and how the tests listen to them. */

export const registration = encodePacket('registration', {
  parts: [encodeBcd(123_456, 3), Uint8Array.of(0x8a), encodeCurrency('DKK')],
});
export const opi = '<?xml version="1.0"?><CardServiceRequest RequestType="CardPayment"/>';
export const prefixed = Uint8Array.of(0, registration.length, ...registration);
export const concert = 'CZ0040300CF006secretCJ012330538600012CA00201CB0041010CD0010CE003208';
/**
 * A session of a till of Concert: its enquiry, and the block that it sends to a terminal that
 * answers.
 */
export const enquiry = Uint8Array.of(5);
export const blockOfConcert = Buffer.from(
  blockOf(Buffer.from('0100001234010208          A010B010')),
);
/** Seven data bits with parity, as a line of eight without parity receives them. */
export const withParity = (bytes: Uint8Array, parity: 'even' | 'odd'): Buffer =>
  Buffer.from(
    Array.from(bytes, (byte) => {
      const ones = byte.toString(2).replaceAll('0', '').length;
      return ones % 2 === (parity === 'even' ? 0 : 1) ? byte : byte | 0x80;
    }),
  );
/** The bytes of a block as received at another baud rate. */
export const garbage = Uint8Array.of(0xfe, 0x80, 0xe6, 0xf8, 0x00, 0xfe, 0x9e, 0xc3);

/** Listeners and cables that end with each test. */
export function listening() {
  const listeners: TillListener[] = [];
  const cables: SerialCable[] = [];
  /**
   * Other protocols are disconnected after 300 of its milliseconds, and a port is tried again after
   * 1000.
   */
  const quick = new SteadyClock(10);
  afterEach(async () => {
    await Promise.all(listeners.splice(0).map((listener) => listener.stop()));
    await Promise.all(cables.splice(0).map((cable) => cable.remove()));
  });
  const listen = (
    till: ConstructorParameters<typeof TillListener>[0],
    tools: Partial<ConstructorParameters<typeof TillListener>[1]> = {},
  ): TillListener => {
    const listener = new TillListener(till, { clock: quick, openSerialWire, ...tools });
    listeners.push(listener);
    return listener;
  };
  const serial = (path: string, baudRate: 9600 | 115_200 = 9600) =>
    ({ protocol: 'zvt', transport: 'serial', path, baudRate, stopBits: 2 }) as const;
  const hears = (listener: TillListener, what: Heard['what']) =>
    until(() => listener.heard().what === what, `${what}, not ${listener.heard().what}`, 4_000);
  return { cables, quick, listen, serial, hears };
}
