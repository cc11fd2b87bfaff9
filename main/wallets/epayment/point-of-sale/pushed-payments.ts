/**
 * Payments whose customer is named at the counter: by their own code, their number or their scan of
 * the sticker (document 5, sections 2.3, 3.3 and 3.4). Nothing is at the service before that; then
 * the request goes to their phone. In memory: what a process before this one has sent is asked for
 * at the service, like any payment.
 */
import { createHash } from 'node:crypto';
import { CappedMap } from '../../../core/domain/capped-map.ts';
import type { CustomerRefusal, NamedCustomer } from '../../../core/domain/named-customer.ts';
import type { ReadyRefusal } from '../../../core/settlement/payment.ts';
import { messageOf } from '../../../core/domain/errors.ts';
import {
  CredentialsRefusedError,
  InvalidRequestError,
  ServiceRefusedError,
} from '../../http/errors.ts';
import type { OperationBody } from '../../http/operation.ts';
import type {
  CreateRequest,
  PaymentTermsAsked,
  PollAnswer,
  ReadyAnswer,
} from '../../../core/lane/wallet-port.ts';
import type { createEpayment } from '../payments/payments-operations.ts';
import { isDefinite, isNotOnboarded } from './epayment-answers.ts';
import { commonBody, type EpaymentClientSettings } from './create-body.ts';
import { changeKey } from './epayment-names.ts';
import type { RecentPayments } from './recent-payments.ts';

type Body = OperationBody<typeof createEpayment>;

export interface PushedOptions {
  readonly recent: RecentPayments;
  /** Sends it once. @throws as `throughGate` */
  readonly send: (reference: string, body: Body, idempotencyKey: string) => Promise<unknown>;
  readonly settings: EpaymentClientSettings;
}

interface Pushed {
  readonly request: CreateRequest;
  /** Whether the request may be at the service. */
  isSent: boolean;
}

const maxRemembered = 1_000;
/** A customer waits, so a request without an answer is repeated at once. */
const maxAttempts = 2;
const refusals: Readonly<Record<string, CustomerRefusal>> = {
  '4050': 'codeRefused',
  '4060': 'codeRefused',
  '4070': 'numberRefused',
  '7010': 'mayNotPay',
};

export class PushedPayments {
  readonly #options: PushedOptions;
  readonly #known = new CappedMap<string, Pushed>(maxRemembered);

  constructor(options: PushedOptions) {
    this.#options = options;
  }

  /** @returns the reference */
  prepare(reference: string, request: CreateRequest): string {
    this.#known.set(reference, { request, isSent: false });
    return reference;
  }

  has(reference: string): boolean {
    return this.#known.has(reference);
  }

  isUnsent(reference: string): boolean {
    return this.#known.get(reference)?.isSent === false;
  }

  forget(reference: string): void {
    this.#known.delete(reference);
  }

  /** The answer as the lane needs it: the amount is on the customer's phone from the start. */
  seen(answer: PollAnswer): PollAnswer {
    return answer.kind === 'seen' && answer.status === 'initiated'
      ? { ...answer, status: 'issuedToUser' }
      : answer;
  }

  /**
   * Sends the request. For the same customer a repetition is the same request, for another customer
   * a new one.
   */
  async ready(
    reference: string,
    { customer, amountMinor, currency }: PaymentTermsAsked & { readonly customer?: NamedCustomer },
  ): Promise<ReadyAnswer> {
    const known = this.#known.get(reference);
    if (known === undefined || customer === undefined)
      return { kind: 'unknown', detail: 'nobody is named' };
    const wasSent = known.isSent;
    known.isSent = true;
    // From now on "not found" may only mean that the request has not arrived yet.
    this.#options.recent.created(reference);
    const body = {
      ...commonBody({ ...known.request, amountMinor, currency }, reference, this.#options.settings),
      userFlow: 'PUSH_MESSAGE',
      customer: asCustomer(customer),
    } as const;
    let detail = '';
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      try {
        await this.#options.send(reference, body, keyFor(reference, customer));
        return { kind: 'done' };
      } catch (error) {
        detail = messageOf(error);
        // A refusal sticks to its key, so it holds for an unanswered earlier attempt, too. Refused
        // credentials say nothing about that attempt.
        const isRefused =
          error instanceof InvalidRequestError ||
          (error instanceof CredentialsRefusedError && attempt === 1) ||
          (isDefinite(error) && error.status !== 409);
        if (isRefused) return this.#refused(known, wasSent, error, detail);
      }
    }
    return { kind: 'unknown', detail };
  }

  #refused(known: Pushed, wasSent: boolean, error: Error, detail: string): ReadyAnswer {
    const code = error instanceof ServiceRefusedError ? error.code : null;
    const reason = refusals[code ?? ''];
    known.isSent = reason === undefined && wasSent;
    if (reason !== undefined) return { kind: 'customerRefused', reason, detail };
    return { kind: 'refused', reason: whyNobody(error), code, detail };
  }
}

function asCustomer(customer: NamedCustomer): NonNullable<Body['customer']> {
  switch (customer.kind) {
    case 'phone':
      return { phoneNumber: customer.number };
    case 'personalCode':
      return { personalQr: customer.text };
    case 'sticker':
      return { customerToken: customer.token };
  }
}

/**
 * A refusal sticks to its key, so each customer has another key. The key does not contain the
 * customer's code.
 */
const keyFor = (reference: string, customer: NamedCustomer): string =>
  changeKey(
    reference,
    `push ${createHash('sha256').update(JSON.stringify(customer)).digest('hex')}`,
    0,
  );

/** Why the sales unit can ask no customer at all. */
function whyNobody(error: Error): ReadyRefusal {
  if (error instanceof CredentialsRefusedError) return 'credentialsRefused';
  return error instanceof ServiceRefusedError && isNotOnboarded(error) ? 'notOnboarded' : 'other';
}
