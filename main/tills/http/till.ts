import type { Cancel, Clock } from '../../core/domain/clock.ts';
import type { CustomerFacts } from '../../core/domain/sale.ts';
import type { LaneCommands, Till } from '../../core/lane/till-port.ts';
import type { ProgramTill } from './lane.ts';

/** How long a till counts as connected after its last request. */
const connectedMs = 60_000;

/**
 * The till's side of a lane over HTTP. Nothing is sent to the till: it can ask for the result of a
 * payment for months and across restarts, so an offer is acknowledged at once (docs/money.md, "A
 * till over HTTP").
 */
export function createHttpTill(laneId: string, clock: Clock): Till & ProgramTill {
  let commands: LaneCommands | null = null;
  let silent: Cancel = () => {};
  /** What the customer of the last payment shares: personal data, which is not written to disk. */
  let customer: { readonly saleId: string; readonly facts: CustomerFacts } | null = null;
  return {
    address: `http:${laneId}`,
    async open(lane) {
      commands = lane;
      lane.tillLink({ state: 'open', detail: null, heardAtMs: null });
    },
    async close() {
      silent();
      commands = null;
      customer = null;
    },
    heard() {
      silent();
      commands?.tillLink({ state: 'connected', detail: null, heardAtMs: null });
      silent = clock.after(connectedMs, () =>
        commands?.tillLink({ state: 'open', detail: null, heardAtMs: null }),
      );
    },
    customerOf: (saleId) => (customer?.saleId === saleId ? customer.facts : null),
    progress() {},
    async offerPaid({ saleId }, facts) {
      customer = facts === undefined ? null : { saleId, facts };
      return 'acknowledged';
    },
    offerRefunded: async () => 'acknowledged',
    conclude() {},
    concludeRefund() {},
  };
}
