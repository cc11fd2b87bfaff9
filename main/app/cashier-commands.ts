import type { CashierCommand, CommandResult } from '../../preload/contract.ts';
import type { Lane } from '../lane/lane.ts';

type Refused = Exclude<Extract<CommandResult, { ok: false }>['code'], 'unknownLane' | 'notInDemo' | 'invalid'>;

/** What a cashier asks of a lane, answered at once. */
export function cashierCommand(lane: Lane, command: CashierCommand): CommandResult {
  switch (command.type) {
    case 'cancelSale': {
      const answer = lane.cancelByCashier(command.saleId);
      return answer === 'cancelling' ? { ok: true } : refused(answer);
    }
    case 'leaveSale': {
      const answer = lane.leaveByCashier(command.saleId);
      return answer === 'left' ? { ok: true } : refused(answer);
    }
    case 'payByHand': {
      const answer = lane.payByHand(command);
      // A lane takes its own currency by hand, and no other.
      return answer.accepted ? { ok: true } : refused(answer.reason === 'wrongCurrency' ? 'failed' : answer.reason);
    }
  }
}

const refused = (code: Refused): CommandResult => ({ ok: false, code, message: messages[code] });

/** For the log and for support; the screens have words of their own. */
const messages: Readonly<Record<Refused, string>> = {
  unknownSale: 'this sale has already ended',
  tooLate: 'the customer was faster: the till is being told "paid"',
  tooEarly: 'the cancel may still be answered',
  busy: 'another payment or refund is under way',
  notReady: 'the lane takes no payments',
  amountTooSmall: 'the amount must be more than nothing',
  amountTooHigh: 'the amount is larger than any till may ask for',
  orderText: 'the order text is too long, or has characters that the wallet service does not take',
  actionUsed: 'this action was for another payment',
  storageFailed: 'the journal cannot be written',
  failed: 'it did not work',
};
