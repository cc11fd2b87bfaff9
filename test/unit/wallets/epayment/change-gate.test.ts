import { describe, expect, test } from 'vitest';
import { throughGate } from '../../../../main/wallets/epayment/point-of-sale/epayment-answers.ts';
import { ChangeGate } from '../../../../main/wallets/epayment/point-of-sale/change-gate.ts';
import { ManualClock } from '../../support/manual-clock.ts';

describe('the gate', () => {
  test('lets five changes of a payment pass in any minute, and those of others', async () => {
    const clock = new ManualClock();
    await clock.pass(1_000);
    const gate = new ChangeGate(clock);
    for (let n = 0; n < 5; n += 1) {
      expect(gate.pass('a')).toBe(0);
      await clock.pass(1_000);
    }
    expect(gate.pass('a')).toBe(55_000);
    expect(gate.pass('b')).toBe(0);
    await clock.pass(54_999);
    expect(gate.pass('a')).toBe(1);
    await clock.pass(1);
    expect(gate.pass('a')).toBe(0);
    expect(gate.pass('a')).toBe(1_000);
  });

  test('counts a change from its end: it may have waited for a token before it left', async () => {
    const clock = new ManualClock();
    const gate = new ChangeGate(clock);
    for (const ms of [3_000, 0, 0, 0, 0]) await throughGate(gate, 'a', () => clock.pass(ms));
    expect(gate.pass('a')).toBe(60_000);
    await clock.pass(59_999);
    expect(gate.pass('a')).toBe(1);
  });

  test('lets the first change pass at any moment of a clock with fractions', async () => {
    const clock = new ManualClock();
    const gate = new ChangeGate(clock);
    for (let n = 0; n < 1_000; n += 1) {
      await clock.pass(0.1);
      expect(gate.pass(`payment-${n}`)).toBe(0);
    }
  });

  test('is closed for as long as the service asks, or a minute', async () => {
    const clock = new ManualClock();
    const gate = new ChangeGate(clock);
    gate.close('a', 7_000);
    gate.close('b', null);
    expect([gate.pass('a'), gate.pass('b'), gate.pass('c')]).toEqual([7_000, 60_000, 0]);
    await clock.pass(7_000);
    expect([gate.pass('a'), gate.pass('b')]).toEqual([0, 53_000]);
  });
});
