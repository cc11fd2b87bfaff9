import { beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { noNotices } from '../../../../main/core/domain/notices.ts';
import type { WireListener } from '../../../../main/core/domain/wire.ts';
import { createConcertTill } from '../../../../main/tills/concert/till.ts';
import type { Till } from '../../../../main/core/lane/till-port.ts';
import { ManualClock, settled } from '../../support/manual-clock.ts';
import { ScriptedViews, ticket } from '../zvt/support.ts';

const [STX, ETX, EOT, ENQ, ACK, NAK] = ['\x02', '\x03', '\x04', '\x05', '\x06', '\x15'] as const;
/** A block as pyTeliumManager makes it, with the exclusive or of the text and ETX. */
const block = (text: string): string => {
  const checked = `${text}${ETX}`;
  return `${STX}${checked}${String.fromCharCode(Buffer.from(checked, 'latin1').reduce((sum, byte) => sum ^ byte, 0))}`;
};
/**
 * The fields: pos, amount, whether a report is wanted, mode, action, currency, private data, delay,
 * authorisation.
 */
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
    settings: {
      protocol: 'concert',
      transport: 'serial',
      path: '/dev/ttyTEST',
      baudRate: 9600,
      stopBits: 1,
    },
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
    [
      'with a report',
      `${request.slice(0, 10)}1${request.slice(11)}`,
      `010000012341${' '.repeat(55)}2080123456789`,
    ],
    ['as E', request.slice(0, 26), paid],
    [
      'of version 3',
      'CZ0040300CA00201CE003208CD0010CB0041234',
      'CZ0040300AE00210CA00201CB0041234CD0010CE003208CC003607AC0040001',
    ],
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
    expect(`${await say('')}${await say(ACK)}${await say(ACK)}`).toBe(
      `${ENQ}${block(refused)}${EOT}`,
    );
  });

  test('whose result the till does not take, three times, gets no EOT, and hears that it is not paid', async () => {
    await ask();
    const offer = till.offerPaid(ticket);
    await say('');
    expect(`${await say(ACK)}${await say(NAK)}${await say(NAK)}${await say(NAK)}`).toBe(
      block(paid).repeat(3),
    );
    expect(await offer).toBe('notAcknowledged');
    till.conclude(ticket, { paid: false, reason: 'notDelivered' });
    expect(`${await say('')}${await say(ACK)}${await say(ACK)}`).toBe(
      `${ENQ}${block(refused)}${EOT}`,
    );
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

  test('whose session does not end begins nothing, and is refused, also when its end is only late', async () => {
    await say(`${ENQ}${block(request)}`);
    await clock.pass(3_000);
    expect(await say('')).toBe(ENQ);
    await say(EOT);
    expect(`${await say(ACK)}${await say(ACK)}`).toBe(`${block(refused)}${EOT}`);
    expect(commands.asked).toEqual([]);
  });

  test('that stops within its block is asked for again', async () => {
    await say(`${ENQ}${block(request).slice(0, 20)}`);
    await clock.pass(3_000);
    expect(await say('')).toBe(NAK);
    await ask();
    expect(commands.asked).toEqual(['sale 1234 DKK']);
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

describe('a message E', () => {
  const e = request.slice(0, 26);

  test.each([
    ['without options', e],
    ['with the options of E+', request],
    ['with one of them', `${e}A010`],
    ['with them in another order', `${e}B011A010`],
    ['with more of them', `${e}A010B010T012C001`],
    ['with blanks for an option', `${e}    B010`],
  ])('%s begins a payment', async (_how, text) => {
    await ask(text);
    expect(commands.asked).toEqual(['sale 1234 DKK']);
  });

  test('with an option that nobody knows is answered as it asks: with a report', async () => {
    await say(ENQ);
    // The block of a till that was recorded.
    const bytes =
      '02 30 31 30 30 30 30 30 31 30 30 31 31 30 39 37 38 30 31 32 33 34 35 36 37 38 39 54 30 31 32 03 63';
    expect(await say(Buffer.from(bytes.replaceAll(' ', ''), 'hex').toString('latin1'))).toBe(ACK);
    await say(EOT);
    expect(commands.asked).toEqual(['sale 100 EUR']);
    till.conclude(ticket, { paid: false, reason: 'timedOut' });
    await say('');
    expect(await say(ACK)).toBe(block(`017000001001${' '.repeat(55)}9780123456789`));
  });

  test.each([
    ['half an option', `${request}T0`],
    ['an option without its letter', `${e}0012`],
    ['an answer at once, as a later option', `${e}B010A011`],
    ['an answer at once and at the end', `${e}A010A011`],
  ])('with %s begins nothing, and is refused', async (_what, text) => {
    expect(await ask(text)).toBe(`${ACK}${ACK}${ENQ}`);
    expect(await say(ACK)).toBe(block(refused));
    expect(await say(ACK)).toBe(EOT);
    expect(commands.asked).toEqual([]);
  });

  test('may hold any byte in its private data, which comes back', async () => {
    const text = `${request.slice(0, 16)}\x1d\x00\xff\x02 \x04\x18\x06\x05\x15A010`;
    await ask(text);
    expect(commands.asked).toEqual(['sale 1234 DKK']);
    till.conclude(ticket, { paid: false, reason: 'timedOut' });
    await say('');
    expect(await say(ACK)).toBe(block(`01700001234${'1'}208${text.slice(16, 26)}`));
  });
});

describe('a block that was acknowledged and cannot be read is refused', () => {
  /**
   * "Not accepted", and blanks for what was not read: a till of this form takes any 0 for "paid".
   */
  const unknownForm = block(`  7${' '.repeat(22)}`);

  test.each([
    ['a form of 17 characters', '01010000001234978', unknownForm],
    ['a character too few', request.slice(0, 25), unknownForm],
    ['nothing in it', '', unknownForm],
    ['bytes that are no text', '\x00\x01'.repeat(13), unknownForm],
    [
      'records with a wrong length',
      'CZ0040300CD0010CB0991234',
      block('CZ0040300AE00201AF00209CD0010'),
    ],
    ['records with a length of letters', 'CZ0040300CBOO41234', block('CZ0040300AE00201AF00209')],
    [
      'more records than there are',
      `CZ0040300${'ZZ001A'.repeat(64)}`,
      block('CZ0040300AE00201AF00209'),
    ],
  ])('%s', async (_what, text, answer) => {
    expect(await ask(text)).toBe(`${ACK}${ACK}${ENQ}`);
    expect(await say(ACK)).toBe(answer);
    expect(await say(ACK)).toBe(EOT);
    expect(commands.asked).toEqual([]);
  });
});

test.each(['\x03', '\x03\x03', '\x1d', '\x02\x03\x00', '\xff'])(
  'a value that is only repeated may hold %j',
  async (value) => {
    const cf = `CF00${value.length}${value}`;
    await ask(`CZ0040300CA00201CE003208CD0010CB0041234${cf}`);
    expect(commands.asked).toEqual(['sale 1234 DKK']);
    till.conclude(ticket, { paid: false, reason: 'timedOut' });
    await say('');
    expect(await say(ACK)).toContain(cf);
  },
);

describe('a till that sends CAN', () => {
  test('three times and EOT cancels its payment', async () => {
    await ask();
    expect(await say('\x18\x18\x18\x04')).toBe('');
    expect(commands.asked).toEqual(['sale 1234 DKK', 'abort']);
  });

  test('as noise, or when nothing runs, cancels nothing', async () => {
    await say('\x18\x18\x18\x04');
    await ask();
    await say('\x18\x04\x18\x18\x06\x18\x04');
    expect(commands.asked).toEqual(['sale 1234 DKK']);
  });
});
