import type { DemoView } from '../../../preload/contract.ts';
import type { DemoPhoneAction } from '../../../preload/procedures/counter.ts';
import type { Currency } from '../../core/domain/money.ts';
import { ServiceError } from '../simulator/service-error.ts';
import type { Simulator } from '../simulator/simulator.ts';

export type PhoneShown = Omit<DemoView['phone'], 'refusal'>;

/** A customer's phone at one counter. */
export interface DemoPhone {
  display(): PhoneShown;
  /** @throws ServiceError when the simulated service refuses, or there is nothing to scan yet */
  use(action: DemoPhoneAction): void;
  /** Whether changes at this point of sale of the service change what the phone shows. */
  isAt(posId: string): boolean;
}

export const simulatedPhone = '+4520031801';

/** The phone for the point-of-sale interface: it checks in at a beacon. */
export function beaconPhone(merchantPosId: string, simulator: Simulator): DemoPhone {
  /** The payment whose customer has put the phone away; it is still on the phone. */
  let leftAt: object | null = null;
  const pos = () =>
    [...simulator.world.pointsOfSale.values()].find(
      (one) => one.merchantPosId === merchantPosId && !one.deleted,
    );
  return {
    isAt: (posId) => pos()?.posId === posId,
    use(action) {
      const at = pos();
      if (at === undefined) throw new ServiceError(409, null, 'there is no point of sale yet');
      const isLeft = at.active !== null && at.active === leftAt;
      leftAt = action === 'walkAway' ? at.active : null;
      // The app still shows it when the phone is taken out again.
      if (action === 'scan' && isLeft) return;
      const request = {
        scan: 'checkin',
        approve: 'accept',
        refuse: 'refuse',
        walkAway: 'leave',
      } as const;
      simulator.phone(request[action], at.beaconId, simulatedPhone);
    },
    display() {
      const at = pos();
      const payment = at && [...at.paymentsByOrder.values()].at(-1)?.at(-1);
      const terms = payment?.terms ?? null;
      const amount =
        terms === null ? null : { amountMinor: terms.amountMinor, currency: terms.currency };
      if (at?.active != null && at.active === leftAt) return { state: 'away', amount: null };
      if (at?.active?.status === 'IssuedToUser') return { state: 'asked', amount };
      if (at?.checkIn != null) return { state: 'checkedIn', amount: null };
      if (payment?.phone != null && at?.active == null) {
        if (payment.status === 'Reserved' || payment.status === 'Captured')
          return { state: 'approved', amount };
        if (payment.status === 'CancelledByUser') return { state: 'refused', amount };
      }
      return { state: 'away', amount: null };
    },
  };
}

const epaymentStates: Readonly<Record<string, DemoView['phone']['state']>> = {
  CREATED: 'asked',
  AUTHORIZED: 'approved',
  ABORTED: 'refused',
};

/**
 * The phone for the ePayment interface: it scans the code of a payment.
 * @param reference that of the payment whose code the counter shows; null when it shows none
 */
export function codePhone(reference: () => string | null, simulator: Simulator): DemoPhone {
  let scanned: string | null = null;
  return {
    isAt: () => false,
    use(action) {
      if (action === 'walkAway') scanned = null;
      else if (action === 'scan') {
        const at = reference();
        if (at === null) throw new ServiceError(409, null, 'there is no code to scan yet');
        simulator.seeEpayment(at);
        scanned = at;
      } else if (scanned !== null)
        simulator.answerEpayment(
          action === 'approve' ? 'approve' : 'reject',
          scanned,
          simulatedPhone,
        );
    },
    display() {
      const seen = scanned === null ? null : simulator.seeEpayment(scanned);
      const state = seen === null ? 'away' : (epaymentStates[seen.state] ?? 'away');
      return {
        state,
        amount:
          seen === null || state === 'away'
            ? null
            : { amountMinor: seen.amount, currency: seen.currency satisfies Currency },
      };
    },
  };
}
