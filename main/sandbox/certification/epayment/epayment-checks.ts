/** The rules that several cases of the ePayment checklist share. They judge recorded requests. */
import { z } from 'zod';
import { Epayment, EpaymentEvent } from '../../../wallets/epayment/payments/payments-operations.ts';
import { parseAnswer } from '../../../wallets/http/json.ts';
import type { CaseDefinition, Rule, Seen } from '../case.ts';
import { of } from '../checks.ts';
import { contentOf, type ObservedExchange, headerOf, isAnswered, isUseless } from '../exchange.ts';
import { broken, counted, notShown, holds } from '../finding.ts';
import type { EpaymentHarness } from './epayment-harness.ts';

export interface OfSalesUnit {
  readonly msn: string;
}
export type EpaymentRule = Rule<OfSalesUnit>;
export type EpaymentSeen = Seen<OfSalesUnit>;
export type EpaymentCase = CaseDefinition<EpaymentHarness, OfSalesUnit>;

export const source = 'document 5, section 6.3';
const events = z.array(EpaymentEvent);

const read = <Answer>(schema: z.ZodType<Answer>, { answer }: ObservedExchange): Answer | null =>
  schema.safeParse(parseAnswer(answer?.body ?? '')).data ?? null;

/** The payment as the case read it last. */
const lastRead = (own: readonly ObservedExchange[]): Epayment | null =>
  of(own, 'getEpayment')
    .filter((exchange) => isAnswered(exchange))
    .map((exchange) => read(Epayment, exchange))
    .at(-1) ?? null;

export const lastEvents = (own: readonly ObservedExchange[]): z.output<typeof events> => {
  const last = of(own, 'listEpaymentEvents').findLast((exchange) => isAnswered(exchange));
  return last === undefined ? [] : (read(events, last) ?? []);
};

/** The payment ended in this state with these amounts, as fractions of the requested amount. */
export function endsAs(
  state: string,
  { captured = 0, cancelled = 0, refunded = 0 } = {},
): EpaymentRule {
  return {
    says: `the payment ends ${state}, captured ${captured * 100} %, cancelled ${cancelled * 100} %, refunded ${refunded * 100} %`,
    source: 'document 5, sections 2.6 and 2.8',
    kind: 'outcome',
    look({ own }) {
      const payment = lastRead(own);
      const reads = of(own, 'getEpayment').slice(-1);
      if (payment === null) return broken('it was never read', reads);
      const { capturedAmount, cancelledAmount, refundedAmount } = payment.aggregate;
      const is = [
        payment.state,
        capturedAmount.value,
        cancelledAmount.value,
        refundedAmount.value,
      ].join(' ');
      const wanted = [
        state,
        ...[captured, cancelled, refunded].map((part) => part * payment.amount.value),
      ].join(' ');
      return is === wanted ? holds(is, reads) : broken(`it is ${is}, not ${wanted}`, reads);
    },
  };
}

/** The successful events of the event log, in its order. */
export function logs(...names: string[]): EpaymentRule {
  return {
    says: `the event log says ${names.join(', ')}`,
    source: 'document 5, section 2.5',
    kind: 'outcome',
    look({ own }) {
      const seen = lastEvents(own).flatMap(({ name, success }) => (success ? [name] : []));
      return seen.join() === names.join()
        ? holds(seen.join(', '), of(own, 'listEpaymentEvents'))
        : broken(`it says ${seen.join(', ') || 'nothing'}`, own);
    },
  };
}

const keyOf = (exchange: ObservedExchange): string | null => headerOf(exchange, 'Idempotency-Key');

/** After no answer and after a 5xx the same request is sent with its key until it is answered. */
export function repeats(operation: string): EpaymentRule {
  return {
    says: `${operation} is repeated unchanged with its key after no answer and after a 5xx, until it is answered`,
    source: 'document 5, section 2.7',
    kind: 'conduct',
    look({ own }) {
      const sent = of(own, operation);
      const last = sent.at(-1);
      if (last === undefined) return broken('it was never sent', own);
      for (const [index, exchange] of sent.entries()) {
        const next = sent[index + 1];
        if (keyOf(exchange) === null)
          return broken(`request ${exchange.number} has no key`, [exchange]);
        if (!isUseless(exchange) || next === undefined) continue;
        if (keyOf(next) !== keyOf(exchange))
          return broken(`request ${next.number} repeats ${exchange.number} under another key`, [
            exchange,
            next,
          ]);
        if (contentOf(next) !== contentOf(exchange))
          return broken(`request ${next.number} is not what ${exchange.number} was`, [
            exchange,
            next,
          ]);
      }
      if (isUseless(last)) return broken('it was never answered', sent);
      return sent.some(isUseless)
        ? holds(`${counted(sent.length, 'request')} with one key`, sent)
        : notShown('the service answered at once');
    },
  };
}

/** `act` is sent only after a read of the payment has answered `state`. */
export function onlyAfter(act: string, state: string): EpaymentRule {
  return {
    says: `${act} leaves only after a read has answered ${state}`,
    source: 'document 5, section 8.5',
    kind: 'conduct',
    look({ own }) {
      const sent = of(own, act);
      const early = sent.find(
        ({ number }) =>
          !of(own, 'getEpayment').some(
            (exchange) => exchange.number < number && read(Epayment, exchange)?.state === state,
          ),
      );
      if (early !== undefined) return broken(`request ${early.number} left before`, [early]);
      return sent.length === 0 ? notShown('it was never sent') : holds(`read before it`, sent);
    },
  };
}

export function never(operation: string, why: string): EpaymentRule {
  return {
    says: `no ${operation} is sent: ${why}`,
    source: 'document 5, section 2.8',
    kind: 'conduct',
    look: ({ own }) =>
      of(own, operation).length === 0
        ? holds('none was sent', own.slice(0, 1))
        : broken('it was sent', of(own, operation)),
  };
}

const minuteMs = 60_000;

/**
 * No more requests of one kind in a minute than the service takes. @param countedBy what requests
 * are counted by; null for one that is not counted
 */
export function atMost(
  most: number,
  what: string,
  countedBy: (exchange: ObservedExchange) => string | null,
): EpaymentRule {
  return {
    says: `no more than ${most} ${what} of a payment leave in a minute`,
    source: 'document 5, section 2.11',
    kind: 'conduct',
    look({ all, slackMs }) {
      const groups = Map.groupBy(
        all.filter((exchange) => countedBy(exchange) !== null),
        countedBy,
      );
      if (groups.size === 0) return notShown('none was sent');
      for (const sent of groups.values())
        for (const [index, exchange] of sent.entries()) {
          const before = sent[index - most];
          if (before !== undefined && exchange.sentAtMs - before.sentAtMs < minuteMs - slackMs)
            return broken(
              `request ${exchange.number} is the ${most + 1}th within a minute`,
              sent.slice(index - most, index + 1),
            );
        }
      return holds(
        `at most ${Math.max(...[...groups.values()].map((sent) => sent.length))} of one payment`,
        [...groups.values()].flat(),
      );
    },
  };
}
