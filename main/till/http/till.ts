import type { Cancel, Clock } from '../../domain/clock.ts';
import type { CustomerFacts } from '../../domain/sale.ts';
import type { LaneCommands, Till } from '../port.ts';
import type { HeardTill } from './lane.ts';

/** For so long after its last request a till counts as connected. */
const connectedMs = 60_000;

/**
 * A till that asks over HTTP. It is told nothing: it asks how a payment stands, for months and across restarts. So the result that the journal has is
 * its own to fetch, and an offer is acknowledged at once (docs/money.md, "A till over HTTP").
 */
export function createHttpTill(laneId: string, clock: Clock): Till & HeardTill {
  let commands: LaneCommands | null = null;
  let silent: Cancel = () => {};
  /** Who paid the last payment: personal data, which is kept nowhere else. */
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
      silent = clock.after(connectedMs, () => commands?.tillLink({ state: 'open', detail: null, heardAtMs: null }));
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
