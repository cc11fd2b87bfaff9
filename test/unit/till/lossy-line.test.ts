import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Register } from '../../../main/sandbox/demo/register.ts';
import { silentLog } from '../../../main/domain/log.ts';
import { noNotices } from '../../../main/domain/notices.ts';
import type { OpenSerialWire, WireListener } from '../../../main/domain/wire.ts';
import { resultCodeOf } from '../../../main/till/zvt/packets.ts';
import { createZvtTill } from '../../../main/till/zvt/till.ts';
import { ManualClock, settled } from '../support/manual-clock.ts';
import { refundTicket, ScriptedViews, ticket } from './support.ts';

/** What becomes of one write: it arrives (late), never, or with a byte changed. The order stays, as on a wire. */
type Fate = { readonly lateMs: number; readonly damage: 'none' | 'lost' | 'changed' };
const fate: fc.Arbitrary<Fate> = fc.record({
  lateMs: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.integer({ min: 1, max: 2_000 }) }),
  damage: fc.oneof({ weight: 8, arbitrary: fc.constant('none' as const) }, { weight: 1, arbitrary: fc.constantFrom('lost' as const, 'changed' as const) }),
});

/** A serial cable between a terminal and a real till side, in manual time. */
class LossyCable {
  readonly clock = new ManualClock();
  fates: Fate[] = [];
  readonly #ends: (WireListener | null)[] = [null, null];
  readonly #quietFromMs = [0, 0];

  end(side: 0 | 1): OpenSerialWire {
    return async (_port, listener) => {
      this.#ends[side] = listener;
      return {
        write: async (bytes) => {
          const { lateMs, damage } = this.fates.shift() ?? { lateMs: 0, damage: 'none' };
          const dueMs = Math.max(this.clock.monotonicMs() + lateMs, this.#quietFromMs[side] ?? 0);
          this.#quietFromMs[side] = dueMs;
          // A till that does not get our 06 takes nothing else until it has repeated its block; this one would, so our 06 always arrives.
          const arrives = side === 0 && bytes.length === 1;
          if (damage === 'lost' && !arrives) return;
          const arriving = damage === 'changed' && !arrives ? bytes.map((byte, index) => (index === bytes.length >> 1 ? byte ^ 0x41 : byte)) : bytes;
          this.clock.after(dueMs - this.clock.monotonicMs(), () => this.#ends[1 - side]?.data(arriving));
        },
        close: async () => {},
      };
    };
  }
}

const accepted = Uint8Array.of(0x80, 0x00, 0x00);
const refused = Uint8Array.of(0x84, 0x66, 0x00);

test('however the line loses, damages and delays: "acknowledged" is what the till said to the result, and every command ends', {
  timeout: 20_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fate, { maxLength: 60, size: 'max' }),
      fc.boolean(),
      fc.boolean(),
      fc.nat(20_000),
      async (fates, takesResult, isRefund, approvedAfterMs) => {
        const line = new LossyCable();
        const { clock } = line;
        const commands = new ScriptedViews();
        const till = createZvtTill({
          settings: { protocol: 'zvt', transport: 'serial', path: '/dev/ttyTEST', baudRate: 9600, stopBits: 2 },
          currency: 'DKK',
          beacons: ['QR'],
          laneName: 'Check-out 1',
          softwareVersion: '1.2.3',
          clock,
          log: silentLog,
          notices: noNotices,
          openSerialWire: line.end(0),
        });
        await till.open(commands);
        const register = await Register.overSerial({ path: '/dev/ttyTILL', open: line.end(1), clock });
        let took = 0;
        register.respondTo = (packet, fields) => {
          if (packet !== 'statusInformation' || resultCodeOf(fields) !== 0) return accepted;
          if (takesResult) took += 1;
          return takesResult ? accepted : refused;
        };
        void register.register({ config: 0x08, currency: 'DKK' });
        await clock.pass(1_000);
        line.fates = [...fates];
        let completed = false;
        void (isRefund ? register.reverse(17, 500, 'DKK') : register.pay(1234, 'DKK')).then(({ ended }) => {
          completed = ended?.by === 'completion';
        });
        await clock.pass(approvedAfterMs);
        let result: unknown = null;
        const offer = isRefund ? till.offerRefunded(refundTicket) : till.offerPaid(ticket);
        void offer.then((answer) => {
          result = answer;
          const done = answer === 'acknowledged';
          if (isRefund) till.concludeRefund(refundTicket, done ? { refunded: true } : { refunded: false, reason: 'notDelivered' });
          else till.conclude(ticket, done ? { paid: true } : { paid: false, reason: 'notDelivered' });
        });
        await clock.pass(120_000);
        expect(result).not.toBeNull();
        if (result === 'acknowledged') expect(took).toBeGreaterThan(0);
        if (completed) expect(result).toBe('acknowledged');
        expect(commands.asked.filter((asked) => /^(sale|refund)/.test(asked)).length).toBeLessThanOrEqual(1);
        await settled();
        await till.close();
      },
    ),
    { numRuns: 300 },
  );
});
