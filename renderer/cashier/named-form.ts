import type { LaneView, Named } from '../../preload/contract.ts';
import type { AnswerTo, InputOf } from '../../preload/procedures.ts';
import type { CounterRefusal } from '../../preload/procedures/counter.ts';
import { counterRefusal } from '../../preload/procedures/counter-refusal.ts';
import { TypedNumber } from '../ui/typed-number.ts';

type Asked = InputOf<'nameCustomer'>['by'];

/** What the form needs of the screen that shows it. */
export interface NamedHost {
  requestUpdate(): void;
  send(by: Asked): Promise<AnswerTo<'nameCustomer'>>;
}

/** Names customers by what a scanner reads, or by a number that the cashier types. What was typed is gone once it was sent. */
export class NamedForm extends TypedNumber<NamedHost, CounterRefusal> {
  #beforeScan = '';

  /** The number of one customer is not kept for the next. */
  follow({ state }: LaneView): void {
    const saleId = 'saleId' in state ? state.saleId : null;
    if (saleId === this.saleId) return;
    this.saleId = saleId;
    this.number = '';
  }

  /** When a scan may be beginning: its first characters would become a number. */
  remember(): void {
    this.#beforeScan = this.number;
  }

  takeBack(): void {
    this.number = this.#beforeScan;
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

  async #send(by: Asked): Promise<void> {
    if (this.isSending) return;
    this.problem = null;
    const answer = await this.sending(() => this.host.send(by));
    if (answer.ok) this.number = '';
    else this.problem = counterRefusal(answer.code);
    this.host.requestUpdate();
  }
}

/** A payment waits for its customer, and none is named. */
export const asksForCustomer = ({ state, named }: { readonly state: LaneView['state']; readonly named?: Named | undefined }): boolean =>
  state.kind === 'waitingForCustomer' && named?.isNamed === false;
