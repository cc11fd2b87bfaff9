import type { LaneView, NamedCustomer } from '../../preload/contract.ts';
import type { AnswerTo, InputOf } from '../../preload/procedures.ts';
import type { CounterRefusal } from '../../preload/procedures/counter.ts';
import { counterRefusal } from '../../preload/procedures/counter-refusal.ts';
import { TypedNumber } from '../ui/typed-number.ts';

type CustomerChoice = InputOf<'nameCustomer'>['by'];

/** The screen that shows the form. */
export interface CustomerFormHost {
  requestUpdate(): void;
  send(by: CustomerChoice): Promise<AnswerTo<'nameCustomer'>>;
}

/**
 * Names customers by a scanned code, or by a telephone number that the cashier types. A number is
 * cleared once it was sent.
 */
export class CustomerForm extends TypedNumber<CustomerFormHost, CounterRefusal> {
  /** Called with each view. A typed number is not kept for the next customer. */
  follow({ state }: LaneView): void {
    const saleId = 'saleId' in state ? state.saleId : null;
    if (saleId === this.saleId) return;
    this.saleId = saleId;
    this.number = '';
  }

  sendNumber(): Promise<void> {
    return this.#send({ phoneNumber: this.number });
  }

  scanned(text: string): Promise<void> {
    return this.#send({ scanned: text });
  }

  forget(): Promise<void> {
    return this.#send(null);
  }

  async #send(by: CustomerChoice): Promise<void> {
    if (this.isSending) return;
    this.problem = null;
    const answer = await this.sending(() => this.host.send(by));
    if (answer.ok) this.number = '';
    else this.problem = counterRefusal(answer.code);
    this.host.requestUpdate();
  }
}

/** Whether a payment waits for its customer, and none is named. */
export const asksForCustomer = ({
  state,
  named,
}: {
  readonly state: LaneView['state'];
  readonly named?: NamedCustomer | undefined;
}): boolean => state.kind === 'waitingForCustomer' && named?.isNamed === false;
