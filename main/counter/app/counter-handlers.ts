import { journalUnwritable } from '../../core/domain/errors.ts';
import { Refusal } from '../../../preload/procedures/procedure.ts';
import type { RefusalOf } from '../../../preload/procedures.ts';
import type { Lane } from '../../core/lane/lane.ts';
import type { Demo } from '../../sandbox/demo/demo.ts';
import type { Handlers } from '../server/router.ts';
import type { Counter } from './counter.ts';

/** Implements `preload/procedures/counter.ts`. @param counter null while it is not set up */
export function counterHandlers(counter: () => Counter | null): Handlers {
  return {
    cancelSale({ laneId, saleId }) {
      const answer = laneOf(laneId).cancelByCashier(saleId);
      if (answer !== 'cancelling') throw refusal(answer);
      return {};
    },
    leaveSale({ laneId, saleId }) {
      const answer = laneOf(laneId).leaveByCashier(saleId);
      if (answer !== 'left') throw refusal(answer);
      return {};
    },
    payByHand({ laneId, ...payment }) {
      const answer = laneOf(laneId).payByHand(payment);
      // A payment by hand is in the lane's own currency.
      if (!answer.accepted)
        throw refusal(answer.reason === 'wrongCurrency' ? 'failed' : answer.reason);
      return { saleId: answer.sale.saleId };
    },
    agreeAmount({ laneId, saleId, amountMinor }) {
      const answer = laneOf(laneId).agreeAmount(saleId, amountMinor);
      if (answer !== 'agreed') throw refusal(answer);
      return {};
    },
    nameCustomer({ laneId, by }) {
      const answer = laneOf(laneId).naming.byCashier(by);
      if (answer !== 'named')
        throw refusal(
          answer === 'notHere' ? 'noneNamed' : answer === 'tooLate' ? 'alreadyAsked' : answer,
        );
      return {};
    },
    typeNumber({ laneId, phoneNumber }, { watched }) {
      const lane = laneOf(laneId);
      // The cashier's screen has its own way; from another lane's screen it would be somebody
      // else's payment.
      const isThere =
        watched?.screen === 'customer' &&
        watched.hidden !== true &&
        (watched.laneId ?? counter()?.lanes[0]?.id) === laneId;
      const answer = isThere ? lane.naming.byCustomer(phoneNumber) : 'notHere';
      if (answer !== 'named')
        throw refusal(
          answer === 'notHere' ? 'noneNamed' : answer === 'tooLate' ? 'alreadyAsked' : answer,
        );
      return {};
    },
    demoTill: async ({ laneId, key, language }) =>
      done(demoOf(laneId).pressKey(laneId, key, language)),
    demoTillPay: async ({ laneId, amountMinor, language }) =>
      done(demoOf(laneId).pay(laneId, amountMinor, language)),
    demoFreeze: async ({ laneId, frozen }) => done(demoOf(laneId).freeze(frozen)),
    demoPhone: async ({ laneId, action }) => done(demoOf(laneId).usePhone(laneId, action)),
  };

  function laneOf(laneId: string): Lane {
    const lane = counter()?.lanes.find(({ id }) => id === laneId);
    if (lane === undefined) throw new Refusal('unknownLane', `there is no lane ${laneId}`);
    return lane;
  }

  function demoOf(laneId: string): Demo {
    laneOf(laneId);
    const demo = counter()?.demo ?? null;
    if (demo === null) throw new Refusal('notInDemo', 'this daemon serves real tills');
    return demo;
  }
}

async function done(action: Promise<void> | void): Promise<Record<string, never>> {
  await action;
  return {};
}

type LaneRefusal = Exclude<
  RefusalOf<'cancelSale' | 'leaveSale' | 'payByHand' | 'agreeAmount' | 'nameCustomer'>,
  'unknownLane' | 'invalid' | 'pinNeeded' | 'notFound' | 'notHere' | 'disconnected'
>;
const refusal = (code: LaneRefusal): Refusal => new Refusal(code, messages[code]);

/** For the log and for support; the screens have words of their own. */
const messages: Readonly<Record<LaneRefusal, string>> = {
  unknownSale: 'this sale has already ended',
  tooLate: 'the customer was faster: the till is being told "paid"',
  tooEarly: 'the cancel may still be answered',
  busy: 'another payment or refund is under way',
  notReady: 'the lane takes no payments',
  serviceUnreachable: 'the wallet service does not answer',
  amountTooSmall: 'the amount must be more than nothing',
  amountTooHigh: 'the amount is larger than any till may ask for',
  noReservations: 'the lane takes no reservations',
  amountFixed: 'the amount of this payment cannot be changed, or not now',
  orderText: 'the order text is too long, or has characters that the wallet service does not take',
  noneNamed: 'customers are not named at this lane',
  alreadyAsked: 'the request is on its way to a phone',
  otherWallet: 'this is no code of this wallet',
  wrongKeyboard: 'the scanner types as on another keyboard',
  noPersonalCode: 'this is no code of a customer',
  wrongNumber: 'this is no telephone number',
  codeRefused: 'the service does not know this code, or not any more',
  numberRefused: 'the service does not know this number',
  mayNotPay: 'this customer may not pay here',
  actionUsed: 'this action was for another payment',
  storageFailed: journalUnwritable,
  failed: 'it did not work',
};
