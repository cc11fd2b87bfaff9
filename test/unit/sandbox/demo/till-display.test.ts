import { describe, expect, test } from 'vitest';
import { displayOf } from '../../../../main/sandbox/demo/till-display.ts';
import type { CommandOutcome } from '../../../../main/sandbox/till/register.ts';
import { statusCompletion } from '../../../../main/tills/zvt/answers.ts';
import { encodeBcd } from '../../../../main/tills/zvt/bcd.ts';
import { BMP } from '../../../../main/tills/zvt/bitmaps.ts';
import { parsePacket } from '../../../../main/tills/zvt/packets.ts';

const nothing: CommandOutcome = {
  refused: null,
  ended: null,
  statusInformations: [],
  progress: [],
  printed: [],
};
const completed = (packet: Uint8Array): CommandOutcome => {
  const parsed = parsePacket(packet);
  if (parsed.kind !== 'packet') throw new Error('no packet');
  return { ...nothing, ended: { by: 'completion', rest: parsed.rest } };
};

describe('the demonstration’s till says what the terminal’s bytes say', () => {
  test.each([
    [0x00, 'statusReady'],
    [0x9c, 'statusWait'],
    [0xdf, 'statusOutOfOrder'],
  ] as const)('a status enquiry that is answered with %i: %s', (status, kind) => {
    for (const version of [null, 'Tillbeacon 0.1.0']) {
      expect(
        displayOf('status', completed(statusCompletion(status, version)), 'DKK'),
        `${version}`,
      ).toMatchObject({ kind, amount: null });
    }
  });

  test('a diagnosis: what the terminal knows, and never that it is well without an answer', () => {
    expect(displayOf('diagnosis', completed(statusCompletion(0, null)), 'DKK').kind).toBe(
      'serviceAnswers',
    );
    expect(
      displayOf('diagnosis', { ...nothing, ended: { by: 'abort', code: 0xa3 } }, 'DKK').kind,
    ).toBe('serviceAway');
    expect(
      displayOf('diagnosis', { ...nothing, ended: { by: 'abort', code: 0x6b } }, 'DKK').kind,
    ).toBe('needsPerson');
    for (const command of ['diagnosis', 'status', 'register', 'endOfDay'] as const)
      expect(displayOf(command, nothing, 'DKK').kind).toBe('lost');
    expect(displayOf('logOff', nothing, 'DKK').kind).toBe('done');
  });

  test('a refusal and an abort, with their codes', () => {
    expect(displayOf('payment', { ...nothing, refused: 0x9c }, 'DKK')).toMatchObject({
      kind: 'refused',
      command: 'payment',
      text: '9C',
    });
    expect(
      displayOf('repeatReceipt', { ...nothing, ended: { by: 'abort', code: 0x64 } }, 'DKK'),
    ).toMatchObject({ kind: 'notPossible', text: '64' });
  });

  test('a result, with its own amount', () => {
    const fields = new Map<number, Uint8Array>([
      [BMP.resultCode, Uint8Array.of(0)],
      [BMP.amount, encodeBcd(1_234, 6)],
    ]);
    const outcome = { ...nothing, statusInformations: [fields] };
    expect(displayOf('payment', outcome, 'DKK')).toMatchObject({
      kind: 'paid',
      amount: { amountMinor: 1_234, currency: 'DKK' },
    });
    expect(displayOf('refund', outcome, 'DKK').kind).toBe('refunded');
    fields.set(BMP.originalTraceNumber, encodeBcd(1, 3));
    expect(displayOf('repeatReceipt', outcome, 'DKK')).toMatchObject({
      kind: 'refunded',
      command: 'repeatReceipt',
    });
  });
});
