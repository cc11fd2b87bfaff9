/** The rules that several cases share. They judge recorded requests. */
import { type Rule, type Seen } from './case.ts';
import { broken, counted, each, notShown, holds } from './finding.ts';
import { acceptedPollDelayMs } from '../../wallets/http/poll-pace.ts';
import { headerNames } from '../../wallets/v10/v10-profile.ts';
import {
  answeredField,
  contentOf,
  type ObservedExchange,
  headerOf,
  isAnswered,
  isUseless,
  sentField,
} from './exchange.ts';

/** Document 4, section 1.8. */
export const maxRequests = 6;

export const of = (
  exchanges: readonly ObservedExchange[],
  ...operations: string[]
): ObservedExchange[] => exchanges.filter(({ operation }) => operations.includes(operation));

/**
 * Each request with a payment's terms has the label of the lane's settings, or none when they have
 * none.
 */
export function carriesLabel(operation: 'initiatePayment' | 'readyPayment'): Rule {
  return {
    says: `merchantPaymentLabel leaves with ${operation} as the lane's settings have it`,
    source: 'document 2, "Endpoints"; document 4, section 1.12',
    kind: 'conduct',
    look({ own, payments: { merchantPaymentLabel: wanted } }) {
      const sent = of(own, operation);
      const other = sent.find((exchange) => sentField(exchange, 'merchantPaymentLabel') !== wanted);
      if (other !== undefined)
        return broken(
          `request ${other.number} carries ${JSON.stringify(sentField(other, 'merchantPaymentLabel')) ?? 'none'}`,
          [other],
        );
      if (sent.length === 0) return notShown('it was never sent');
      return holds(
        wanted === undefined ? 'the settings have none, and none was sent' : JSON.stringify(wanted),
        sent,
      );
    },
  };
}

const keyOf = (exchange: ObservedExchange, { profile }: Seen): string | null =>
  headerOf(exchange, headerNames(profile).idempotencyKey);

/**
 * Answers of 4xx that end a repetition successfully: a deleted point of sale is gone, a prepared
 * payment was made ready already.
 */
const alsoDone: Readonly<Record<string, readonly number[]>> = {
  deletePointOfSale: [404],
  readyPayment: [409],
};

const create = /^(initiatePayment|preparePayment|createRefund|createPointOfSale)$/;

/**
 * After no answer and after a 5xx the same request is sent until it is answered, with the same key
 * where the operation has one.
 * @param failures those that the case prescribes
 */
export function repeats(
  operation: string,
  failures: readonly ('timeout' | '500')[] = ['timeout', '500'],
): Rule {
  const withKey = create.test(operation) ? ', with the same idempotency key' : '';
  return {
    says: `${operation} is repeated unchanged after ${failures.map((kind) => (kind === 'timeout' ? 'no answer' : 'a 500')).join(' and after ')}${withKey}, until it is answered`,
    source: 'document 4, section 1.8',
    kind: 'conduct',
    look(seen) {
      const sent = of(seen.own, operation);
      const met = {
        timeout: sent.some(({ answer }) => answer === null),
        '500': sent.some((exchange) => isUseless(exchange) && exchange.answer !== null),
      };
      for (const [index, exchange] of sent.entries()) {
        if (!isUseless(exchange)) continue;
        const next = sent[index + 1];
        if (next === undefined) {
          if (exchange.attempt >= maxRequests)
            return broken(`there was no answer in ${maxRequests} requests`, sent);
          return broken(`request ${exchange.number} got no usable answer and was not repeated`, [
            exchange,
          ]);
        }
        if (keyOf(next, seen) !== keyOf(exchange, seen))
          return broken(
            `request ${next.number} repeats ${exchange.number} without its idempotency key`,
            [exchange, next],
          );
        if (contentOf(next) !== contentOf(exchange))
          return broken(`request ${next.number} is not what ${exchange.number} was`, [
            exchange,
            next,
          ]);
      }
      const last = sent.at(-1);
      if (last === undefined) return notShown('it was never sent');
      if (!isAnswered(last) && alsoDone[operation]?.includes(last.answer?.status ?? 0) !== true)
        return broken(`it ended with ${last.answer?.status}`, [last]);
      const missing = failures.filter((kind) => !met[kind]);
      if (missing.length > 0)
        return notShown(
          `the service let it be answered at once: ${missing.join(' and ')} did not happen`,
        );
      return holds(`${operation} ${sent.length} times, then ${last.answer?.status}`, sent);
    },
  };
}

/** The states that polling has shown, in order, without repetitions. */
export function statuses(exchanges: readonly ObservedExchange[], polled = 'getPayment'): string[] {
  const seen = of(exchanges, polled).flatMap((exchange) => {
    const status = isAnswered(exchange) ? answeredField(exchange, 'status') : undefined;
    return typeof status === 'string' ? [status] : [];
  });
  return seen.filter((status, index) => status !== seen[index - 1]);
}

/**
 * Polling shows these states in this order, possibly with others in between, and ends with the
 * last. `*` stands for the rest of a name.
 */
export function goesThrough(states: readonly string[], polled = 'getPayment'): Rule {
  return {
    says: `polling shows ${states.join(' → ')}`,
    source: 'document 4, sections 1.3 and 1.4',
    kind: 'outcome',
    look({ own }) {
      const seen = statuses(own, polled);
      let at = 0;
      for (const status of seen) if (matches(status, states[at])) at += 1;
      const ended = matches(seen.at(-1) ?? '', states.at(-1));
      const polls = of(own, polled);
      return at === states.length && ended
        ? holds(seen.join(' → '), polls)
        : broken(`seen were ${seen.join(' → ') || 'none'}`, polls);
    },
  };
}

const matches = (status: string, wanted: string | undefined): boolean =>
  wanted !== undefined &&
  (wanted.endsWith('*') ? status.startsWith(wanted.slice(0, -1)) : status === wanted);

/** Document 4, section 8: the delay when no answer has named one. */
const defaultDelayMs = 1_000;

/**
 * A resource is not polled before the delay of its last answer has passed. Without an answer the
 * delay before it stays in force.
 */
export function keepsPace(...operations: string[]): Rule {
  return {
    says: 'no poll leaves before pollDelayInMs has passed since the last answer, nor sooner after a poll without an answer',
    source: 'document 4, section 1.7',
    kind: 'conduct',
    look({ own }) {
      const resources = Map.groupBy(of(own, ...operations), ({ path }) => path);
      const gaps: { exchange: ObservedExchange; waitedMs: number; delayMs: number }[] = [];
      for (const polls of resources.values()) {
        let delayMs = defaultDelayMs;
        for (const [index, poll] of polls.entries()) {
          delayMs = acceptedPollDelayMs(answeredField(poll, 'pollDelayInMs')) ?? delayMs;
          const next = polls[index + 1];
          if (next !== undefined)
            gaps.push({ exchange: next, waitedMs: next.sentAtMs - poll.endedAtMs, delayMs });
        }
      }
      const early = gaps.find(({ waitedMs, delayMs }) => waitedMs < delayMs);
      if (early !== undefined)
        return broken(
          `poll ${early.exchange.number} left ${Math.round(early.waitedMs)} ms after the one before, ${early.delayMs} were asked for`,
          [early.exchange],
        );
      if (gaps.length === 0) return notShown('nothing was polled twice');
      const closest = Math.min(...gaps.map(({ waitedMs, delayMs }) => waitedMs - delayMs));
      return holds(
        `${counted(gaps.length, 'pause')} between polls, the closest ${Math.round(closest)} ms longer than asked for`,
        gaps.map(({ exchange }) => exchange),
      );
    },
  };
}

/** Whether a request is about this payment: by its path, or by a body that names it. */
const about = (exchange: ObservedExchange, id: string): boolean =>
  exchange.path.includes(id) || exchange.body?.includes(id) === true;

/** Once a poll has shown the final state, no request about that payment is sent. */
export function letsGo(final: string): Rule {
  return {
    says: `after ${final} nothing more is sent for the payment`,
    source: 'document 4, section 1.3',
    kind: 'conduct',
    look({ own, all }) {
      const end = of(own, 'getPayment').find((exchange) =>
        matches(String(answeredField(exchange, 'status')), final),
      );
      if (end === undefined) return notShown(`${final} was not reached`);
      const id = String(answeredField(end, 'paymentId'));
      const after = all.filter((exchange) => exchange.number > end.number && about(exchange, id));
      return after[0] === undefined
        ? holds(`poll ${end.number} was the last request`, [end])
        : broken(`${after[0].operation} followed`, after);
    },
  };
}

export function never(operation: string, why: string): Rule {
  return {
    says: `no ${operation} is sent: ${why}`,
    source: 'document 4, section 1.3',
    kind: 'conduct',
    look({ own }) {
      const sent = of(own, operation);
      return sent.length === 0
        ? holds(`no ${operation} among ${counted(own.length, 'request')}`)
        : broken(`${operation} was sent`, sent);
    },
  };
}

/** `act` is sent only after a poll of the same resource has answered `status`. */
export function onlyAfter(act: string, polled: string, status: string): Rule {
  return {
    says: `${act} leaves only after a poll has answered ${status}`,
    source: 'document 4, sections 1.3 and 1.4',
    kind: 'conduct',
    look({ own }) {
      const allowed = (exchange: ObservedExchange): boolean =>
        of(own, polled).some(
          (poll) =>
            poll.number < exchange.number &&
            exchange.path.startsWith(poll.path) &&
            answeredField(poll, 'status') === status,
        );
      return each(
        of(own, act),
        (exchange) => (allowed(exchange) ? null : `no poll had answered ${status} yet`),
        'request',
        ` after ${status}`,
      );
    },
  };
}

/** The case reached this step: `operation` was answered with `status`. */
export function answered(operation: string, status = 200): Rule<object> {
  return {
    says: `${operation} is answered with ${status}`,
    source: 'document 4, section 1.1',
    kind: 'outcome',
    look({ own }) {
      const answers = of(own, operation).filter((exchange) => isAnswered(exchange, status));
      return answers.length > 0
        ? holds(`${operation} was answered with ${status}`, answers)
        : broken(`never answered with ${status}`, of(own, operation));
    },
  };
}
