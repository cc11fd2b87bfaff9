/**
 * G. Time-outs, repetitions and needless calls, judged by the requests of all cases (18 and 19).
 */
import { sandboxOperations } from '../../../wallets/v10/point-of-sale/point-of-sale-operations.ts';
import { headerNames } from '../../../wallets/v10/v10-profile.ts';
import type { CaseDefinition } from '../case.ts';
import { broken, counted, each, notShown, holds } from '../finding.ts';
import { keepsPace, maxRequests, of } from '../checks.ts';
import {
  contentOf,
  type ObservedExchange,
  headerOf,
  isAnswered,
  isUseless,
  tookMs,
} from '../exchange.ts';
import { cancelled, expectStatus } from '../steps.ts';

/** Document 4, section 1.8. */
const maxWaitMs = ({ method }: ObservedExchange): number => (method === 'GET' ? 500 : 2_000);
const polled = ['getPayment', 'getRefund', 'lookUpCheckIn'];
/** Operations that act for the test's customer, and are not sent by the client under test. */
const customers: ReadonlySet<string> = new Set(sandboxOperations.map(({ name }) => name));
const writes = (exchanges: readonly ObservedExchange[]): ObservedExchange[] =>
  exchanges.filter(
    ({ method, operation }) =>
      method !== 'GET' && operation !== 'token' && !customers.has(operation),
  );

export const timeOutsAndRepetitions: CaseDefinition = {
  id: '18',
  title: 'Time-outs and repetitions',
  async run(harness) {
    const { counter } = await harness.counter();
    harness.inject({ operation: 'listPayments', kind: 'delay', delayMs: 900 });
    const unknownOrder = await counter.lookUp(harness.sale().orderId);
    const sale = harness.sale();
    harness.inject({ operation: 'initiatePayment', kind: 'status500', times: maxRequests });
    const abandoned = await counter.create(sale);
    const looked = abandoned.kind === 'unknown' ? await counter.lookUp(sale.orderId) : abandoned;
    const paymentId =
      'paymentId' in looked ? looked.paymentId : await harness.create(counter, harness.sale());
    harness.paymentOpened(paymentId);
    const early = await counter.capture(paymentId, harness.money);
    await cancelled(harness, { paymentId, watch: counter.watch(paymentId) });
    return { unheardOf: unknownOrder.kind, givenUp: abandoned, captureBeforeReserved: early };
  },
  rules: [
    {
      says: 'no write is waited for longer than 2 s, no read longer than 0.5 s',
      source: 'document 4, section 1.8',
      kind: 'conduct',
      look({ all, slackMs }) {
        const reached = all.filter(
          (exchange) => exchange.answer === null && tookMs(exchange) >= maxWaitMs(exchange),
        );
        const slow = all.find(
          (exchange) =>
            Number.isFinite(exchange.endedAtMs) && tookMs(exchange) > maxWaitMs(exchange) + slackMs,
        );
        if (slow !== undefined)
          return broken(
            `request ${slow.number} (${slow.operation}) was waited for ${Math.round(tookMs(slow))} ms`,
            [slow],
          );
        if (reached.length === 0) return notShown('every answer came in time');
        const most = Math.max(...reached.map((exchange) => tookMs(exchange) - maxWaitMs(exchange)));
        return holds(
          `${counted(reached.length, 'request')} ended by their time-out, at most ${Math.round(most)} ms late`,
          reached,
        );
      },
    },
    {
      says: `a request is sent at most ${maxRequests} times`,
      source: 'document 4, section 1.8',
      kind: 'conduct',
      look({ all, profile }) {
        const name = headerNames(profile).idempotencyKey;
        const sent = all.filter(
          ({ operation }) => !polled.includes(operation) && operation !== 'token',
        );
        const beyond = sent.filter(({ attempt }) => attempt > maxRequests);
        if (beyond[0] !== undefined)
          return broken(`${beyond[0].operation} was sent ${beyond.at(-1)?.attempt} times`, beyond);
        const keys = Map.groupBy(
          sent.filter((exchange) => headerOf(exchange, name) !== null && isUseless(exchange)),
          (exchange) => headerOf(exchange, name),
        );
        for (const withKey of keys.values())
          if (withKey.length > maxRequests)
            return broken('one idempotency key was used more often', withKey);
        const most = sent.toSorted((a, b) => b.attempt - a.attempt)[0];
        return most === undefined || most.attempt === 1
          ? notShown('nothing had to be repeated')
          : holds(`${most.operation} was sent ${most.attempt} times, and not again`, [most]);
      },
    },
    {
      says: 'after a 4xx the same request is not sent again before the service has been asked how things are',
      source: 'document 4, section 1.8',
      kind: 'conduct',
      look({ all }) {
        const refused = writes(all).filter(
          ({ answer }) => answer !== null && answer.status >= 400 && answer.status < 500,
        );
        for (const refusal of refused) {
          const after = all.filter(({ number }) => number > refusal.number);
          const again = after.find((exchange) => contentOf(exchange) === contentOf(refusal));
          if (again === undefined) continue;
          const wasRead = after.some(
            ({ number, method, operation }) =>
              number < again.number && (method === 'GET' || operation === 'token'),
          );
          if (!wasRead)
            return broken(
              `request ${refusal.number} was refused with ${refusal.answer?.status} and sent again`,
              [refusal, again],
            );
        }
        return refused.length === 0
          ? notShown('nothing was refused')
          : holds(`${refused.length} refused requests, none blindly sent again`, refused);
      },
    },
  ],
};

export const noNeedlessCalls: CaseDefinition = {
  id: '19',
  title: 'No needless calls',
  async run(harness) {
    const { counter, customer } = await harness.counter();
    const shownFrom = harness.recorder.exchanges.length + 1;
    const watch = counter.watchCheckIn();
    const first = await watch.poll(harness.signal);
    await customer.checkIn();
    const second = await watch.poll(harness.signal);
    const shownUntil = harness.recorder.exchanges.length;
    await harness.pause(1_500);
    // The customer who has checked in gets a payment, so that the case leaves nobody checked in.
    const paymentId = await harness.create(counter, harness.sale());
    const payment = { paymentId, watch: counter.watch(paymentId) };
    expectStatus(await harness.follow(payment.watch, paymentId, 'issuedToUser'), 'issuedToUser');
    await cancelled(harness, payment);
    return { first, second, shownFrom, shownUntil };
  },
  rules: [
    {
      says: 'the check-in is looked up only while the QR code is displayed',
      source: 'document 4, section 1.5',
      kind: 'conduct',
      look({ all, evidence }) {
        const [from, until] = [Number(evidence['shownFrom']), Number(evidence['shownUntil'])];
        if (Number.isNaN(until)) return notShown('no QR code was displayed to the end');
        const wrong = ({ number }: ObservedExchange): string | null =>
          number >= from && number <= until ? null : 'no QR code was displayed';
        return each(of(all, 'lookUpCheckIn'), wrong, 'look-up', ' while it was displayed');
      },
    },
    keepsPace('lookUpCheckIn', 'getPayment'),
    {
      says: 'nothing that was just answered is asked again',
      source: 'document 4, section 7.G',
      kind: 'conduct',
      look({ all }) {
        const again = all.find((exchange, index) => {
          const before = all[index - 1];
          if (
            before === undefined ||
            exchange.method !== 'GET' ||
            polled.includes(exchange.operation)
          )
            return false;
          return isAnswered(before) && contentOf(before) === contentOf(exchange);
        });
        return again === undefined
          ? holds(`${all.length} requests`)
          : broken(`request ${again.number} asks again what was answered`, [again]);
      },
    },
    {
      says: 'the service counted no broken rule: no early poll, no look-up without a QR code, no key used twice, no repetition too many, no missing key',
      source: 'document 4, sections 1.7, 1.8 and 7.G',
      kind: 'conduct',
      look({ witness }) {
        if (witness === null) return notShown('this service does not tell what it counted');
        const counted = Object.entries(witness.violations).filter(([, count]) => count > 0);
        return counted.length === 0
          ? holds(Object.keys(witness.violations).join(', '))
          : broken(counted.map(([name, count]) => `${name}: ${count}`).join(', '));
      },
    },
    {
      says: 'nothing reached the service that is not in this report',
      source: 'document 4, section 7.G',
      kind: 'conduct',
      look({ all, witness }) {
        if (witness === null) return notShown('this service does not tell what arrived');
        const recorded = Map.groupBy(all, ({ method, path }) => `${method} ${path.split('?')[0]}`);
        const arrived = Map.groupBy(witness.arrived, (line) => line);
        const unknown = [...arrived].find(
          ([line, times]) => times.length > (recorded.get(line)?.length ?? 0),
        );
        return unknown === undefined
          ? holds(`${witness.arrived.length} arrived, ${all.length} recorded`)
          : broken(`${unknown[0]} arrived unrecorded`);
      },
    },
  ],
};
