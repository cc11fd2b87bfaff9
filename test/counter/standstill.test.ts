import { afterEach, expect, test } from 'vitest';
import { resultCodeOf, positiveAnswer } from '../../main/tills/zvt/packets.ts';
import { Counter } from '../support/counter.ts';
import { isLong } from '../support/long.ts';

let counter: Counter;
afterEach(() => counter?.close());

/** T3 is 5 s. */
const standstillsMs = isLong ? [6_000, 7_000, 20_000] : [7_000];
const standstills = (['tcp', 'serial'] as const).flatMap((transport) =>
  standstillsMs.map((ms) => [transport, ms] as const),
);

test.each(standstills)(
  'what the till acknowledged over %s is paid, although the daemon stood still for %i ms before it read that',
  async (transport, ms) => {
    counter = await Counter.open({ transport });
    await counter.till.register({ currency: 'DKK' });
    const { pid } = counter.daemon.child;
    let stoodStill = 0;
    counter.till.respondTo = (name) => {
      if (name === 'statusInformation' && stoodStill === 0) {
        stoodStill += 1;
        // The daemon waits for input by then: one that is stopped in the middle of its work reads
        // before its timers run.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
        process.kill(pid as number, 'SIGSTOP');
        setTimeout(() => process.kill(pid as number, 'SIGCONT'), ms);
      }
      return positiveAnswer;
    };
    const payment = counter.till.pay(1010, 'DKK');
    await counter.customerPays();
    const outcome = await payment;
    expect(stoodStill).toBe(1);
    expect(outcome).toMatchObject({ ended: { by: 'completion' }, refused: null });
    expect(outcome.statusInformations.map(resultCodeOf)).toContain(0);
    expect(await counter.serviceSays('Captured')).toMatchObject({ amount: 10.1, captureCount: 1 });
  },
);
