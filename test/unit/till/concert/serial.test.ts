import { beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../../../main/domain/log.ts';
import { noNotices } from '../../../../main/domain/notices.ts';
import type { WireListener } from '../../../../main/domain/wire.ts';
import { createConcertTill } from '../../../../main/till/concert/till.ts';
import type { Till } from '../../../../main/till/port.ts';
import { ManualClock, settled } from '../../support/manual-clock.ts';
import { ScriptedViews, ticket } from '../zvt/support.ts';

const [STX, ETX, EOT, ENQ, ACK, NAK] = ['\x02', '\x03', '\x04', '\x05', '\x06', '\x15'] as const;
/** A block as pyTeliumManager makes it, with the exclusive or of the text and ETX. */
const block = (text: string): string => {
  const checked = `${text}${ETX}`;
  return `${STX}${checked}${String.fromCharCode(Buffer.from(checked).reduce((sum, byte) => sum ^ byte, 0))}`;
};
/** The fields: pos, amount, whether a report is wanted, mode, action, currency, private data, delay, authorisation. */
const request = ['01', '00001234', '0', '1', '0', '208', '0123456789', 'A010', 'B010'].join('');
const paid = '0100000123412080123456789';
const refused = '0170000123412080123456789';

let clock: ManualClock;
let commands: ScriptedViews;
let till: Till;
let listener: WireListener;
let heard = '';

beforeEach(async () => {
  clock = new ManualClock();
  commands = new ScriptedViews();
  heard = '';
  till = createConcertTill({
    settings: { protocol: 'concert', transport: 'serial', path: '/dev/ttyTEST', baudRate: 9600, stopBits: 1 },
    clock,
    log: silentLog,
    notices: noNotices,
    openSerialWire: async (_port, wire) => {
      listener = wire;
      return {
        write: async (bytes) => {
          heard += Buffer.from(bytes).toString('latin1');
        },
        close: async () => {},
      };
    },
  });
  await till.open(commands);
});

/** Sends bytes. @returns what the terminal has sent since the last call */
async function say(bytes: string): Promise<string> {
  listener.data(Buffer.from(bytes, 'latin1'));
  await settled();
  const said = heard;
  heard = '';
  return said;
}
async function ask(text = request): Promise<string> {
  return `${await say(ENQ)}${await say(block(text))}${await say(EOT)}`;
}

describe('a payment over a serial line', () => {
  test('is told when the till has acknowledged the block; EOT follows the decision', async () => {
    expect(await say(ENQ)).toBe(ACK);
    expect(await say(block(request))).toBe(ACK);
    expect(commands.asked).toEqual([]);
    expect(await say(EOT)).toBe('');
    expect(commands.asked).toEqual(['sale 1234 DKK']);
    const offer = till.offerPaid(ticket);
    expect(await say('')).toBe(ENQ);
    expect(await say(ACK)).toBe(block(paid));
    expect(await say(ACK)).toBe('');
    expect(await offer).toBe('acknowledged');
    till.conclude(ticket, { paid: true });
    expect(await say('')).toBe(EOT);
  });

  test.each([
    ['with a report', `${request.slice(0, 10)}1${request.slice(11)}`, `010000012341${' '.repeat(55)}2080123456789`],
    ['as E', request.slice(0, 26), paid],
    ['of version 3', 'CZ0040300CA00201CE003208CD0010CB0041234', 'CZ0040300AE00210CA00201CB0041234CD0010CE003208CC003607AC0040001'],
  ])('%s is answered in its own form', async (_how, text, answer) => {
    await ask(text);
    const offer = till.offerPaid(ticket);
    await say('');
    expect(await say(ACK)).toBe(block(answer));
    await say(ACK);
    expect(await offer).toBe('acknowledged');
  });

  test('that is declined is told as not accepted', async () => {
    await ask();
    till.conclude(ticket, { paid: false, reason: 'declinedByCustomer' });
    expect(`${await say('')}${await say(ACK)}${await say(ACK)}`).toBe(`${ENQ}${block(refused)}${EOT}`);
  });

  test('whose result the till does not take, three times, gets no EOT, and hears that it is not paid', async () => {
    await ask();
    const offer = till.offerPaid(ticket);
    await say('');
    expect(`${await say(ACK)}${await say(NAK)}${await say(NAK)}${await say(NAK)}`).toBe(block(paid).repeat(3));
    expect(await offer).toBe('notAcknowledged');
    till.conclude(ticket, { paid: false, reason: 'notDelivered' });
    expect(`${await say('')}${await say(ACK)}${await say(ACK)}`).toBe(`${ENQ}${block(refused)}${EOT}`);
  });

  test('whose till is silent is not acknowledged', async () => {
    await ask();
    const offer = till.offerPaid(ticket);
    await clock.pass(9_000);
    expect(await offer).toBe('notAcknowledged');
    expect(await say('')).toBe(ENQ.repeat(3));
  });

  test('whose cable is out when it is told is not acknowledged', async () => {
    await ask();
    listener.lost('the port was unplugged');
    await settled();
    expect(await till.offerPaid(ticket)).toBe('notAcknowledged');
    expect(commands.asked).toEqual(['sale 1234 DKK']);
  });

  test('keeps the till from asking for another one', async () => {
    await ask();
    expect(await say(ENQ)).toBe(NAK);
    expect(await say(`${block(request)}${EOT}`)).toBe('');
    expect(commands.asked).toEqual(['sale 1234 DKK']);
  });
});

describe('a request', () => {
  test('that came broken is asked for again, and begins once however often it came', async () => {
    await say(ENQ);
    expect(await say(block(request).replace('1234', '1235'))).toBe(NAK);
    expect(await say(block(request))).toBe(ACK);
    expect(await say(block(request))).toBe(ACK);
    await say(EOT);
    expect(commands.asked).toEqual(['sale 1234 DKK']);
  });

  test('whose session does not end begins nothing', async () => {
    await say(`${ENQ}${block(request)}`);
    await clock.pass(3_000);
    await say(EOT);
    expect(commands.asked).toEqual([]);
  });

  test.each([
    ['a credit', `${request.slice(0, 12)}1${request.slice(13)}`],
    ['a cancellation', `${request.slice(0, 12)}2${request.slice(13)}`],
    ['a reservation', `${request.slice(0, 12)}4${request.slice(13)}`],
    ['a cheque', `${request.slice(0, 11)}C${request.slice(12)}`],
    ['an answer at once', request.replace('A010', 'A011')],
    ['a currency that the wallet has not', request.replace('208', '840')],
    ['an amount with a sign', request.replace('00001234', '0000-234')],
  ])('for %s is told as not accepted', async (_what, text) => {
    expect(await ask(text)).toBe(`${ACK}${ACK}${ENQ}`);
    expect((await say(ACK)).slice(1, 4)).toBe('017');
    expect(await say(ACK)).toBe(EOT);
    expect(commands.asked).toEqual([]);
  });
});
