/** G. Standing rules about what lasts: jobs, ids, intents, people (20 to 27). They look at the records of every case. */
import { headerNames } from '../../../wallet/v10/profile.ts';
import { broken, type Case, counted, notShown, shown } from '../case.ts';
import { goesThrough, mostRequests, of, onlyAfter } from '../checks.ts';
import { answeredField, headerOf, isAnswered, isUseless, sentField } from '../exchange.ts';
import { cancelled, done, expectStatus, reserved } from '../steps.ts';
import { faultsAreKept } from './support-data.ts';

const source = 'document 4, section 7.G';

export const standingCases: readonly Case[] = [
  {
    id: '20',
    section: 'G',
    title: 'A periodic job for what is left Reserved',
    source,
    async run(bench) {
      const { counter } = await bench.counter();
      const { paymentId } = await reserved(bench);
      bench.inject({ operation: 'capturePayment', kind: 'status500', times: mostRequests });
      const first = await counter.capture(paymentId, bench.money);
      const restarted = await bench.restarted();
      const watch = restarted.watch(paymentId);
      expectStatus(await bench.follow(watch, paymentId, 'reserved', 'captured'), 'reserved', 'captured');
      done('capture', await restarted.capture(paymentId, bench.money));
      expectStatus(await bench.follow(watch, paymentId, 'captured'), 'captured');
      return { paymentId, first };
    },
    rules: [
      {
        says: 'a capture that was never answered is asked for again later, with the same amount, until it is confirmed',
        source: 'document 4, sections 1.9 and 1.11',
        kind: 'conduct',
        look({ own }) {
          const captures = of(own, 'capturePayment');
          const amounts = new Set(captures.map((exchange) => sentField(exchange, 'amount')));
          if (amounts.size > 1) return broken('the amount changed', captures);
          const last = captures.at(-1);
          if (last === undefined) return notShown('nothing was to be captured');
          if (!isAnswered(last)) return broken('it was not confirmed', captures);
          return captures.some(isUseless)
            ? shown(`${captures.length} requests, the last one confirmed`, captures)
            : notShown('the service confirmed it at once');
        },
      },
      goesThrough(['Reserved', 'Captured']),
      onlyAfter('capturePayment', 'getPayment', 'Reserved'),
    ],
    documented: [
      'The daemon itself repeats a capture or cancellation that is on disk until the service confirms it, however long that takes, and also after a restart; the next sale need not wait for it. Tested with SIGKILL at each step (test/counter/recovery.test.ts) and with a service that stays away (test/unit/lane/lane.test.ts).',
    ],
  },
  {
    id: '21',
    section: 'G',
    title: 'Order ids are unique',
    source,
    rules: [
      {
        says: 'no order id belongs to two wishes: each comes with one idempotency key',
        source: 'document 4, sections 1.1 and 1.9',
        kind: 'conduct',
        look({ all, profile }) {
          const creates = of(all, 'initiatePayment', 'preparePayment', 'createRefund');
          const orders = Map.groupBy(creates, (exchange) => String(sentField(exchange, 'orderId') ?? sentField(exchange, 'refundOrderId')));
          for (const [orderId, sent] of orders) {
            const keys = new Set(sent.map((exchange) => headerOf(exchange, headerNames(profile).idempotencyKey)));
            if (keys.size > 1) return broken(`order id ${orderId} was sent with ${keys.size} keys`, sent);
          }
          return orders.size === 0 ? notShown('nothing was created') : shown(`${orders.size} order ids in ${creates.length} requests`, creates);
        },
      },
    ],
    documented: [
      'The order ids of this run are the tool’s own. The daemon’s are made of the lane’s id, its trace number and a random part, anew for each sale and on disk before they leave (test/unit/lane/lane.test.ts).',
    ],
  },
  {
    id: '22',
    section: 'G',
    title: 'plannedCaptureDelay is truthful',
    source,
    rules: [
      {
        says: 'every payment announces plannedCaptureDelay None, and what is captured is captured at once',
        source: 'document 4, section 1.11',
        kind: 'conduct',
        look({ all }) {
          const announced = of(all, 'initiatePayment', 'readyPayment');
          const other = announced.find((exchange) => sentField(exchange, 'plannedCaptureDelay') !== 'None');
          if (other !== undefined) return broken(`request ${other.number} announces ${String(sentField(other, 'plannedCaptureDelay'))}`, [other]);
          const captures = of(all, 'capturePayment').filter((exchange) => isAnswered(exchange));
          const delays = captures.flatMap((capture) => {
            const poll = of(all, 'getPayment').find((exchange) => capture.path.startsWith(exchange.path) && answeredField(exchange, 'status') === 'Reserved');
            return poll === undefined ? [] : [capture.endedAtMs - poll.endedAtMs];
          });
          if (delays.length === 0) return notShown('nothing was captured');
          const longest = Math.max(...delays) / 1000;
          return longest < 24 * 60 * 60
            ? shown(`${counted(captures.length, 'capture')}, the latest ${longest.toFixed(1)} s after the reservation was seen`, captures)
            : broken(`a capture came ${Math.round(longest)} s after the reservation`, captures);
        },
      },
    ],
  },
  {
    id: '23',
    section: 'G',
    title: 'Intent survives a restart',
    source,
    async run(bench) {
      const { counter } = await bench.counter();
      const sale = bench.sale();
      const paymentId = await bench.create(counter, sale);
      // From here on only what was chosen before the first request is known: order id, key, amount.
      const restarted = await bench.restarted();
      const again = await restarted.create(sale);
      const found = await restarted.lookUp(sale.orderId);
      if (found.kind !== 'found') throw new Error(`the payment was not found by its order id: ${found.kind}`);
      await cancelled(bench, { paymentId: found.paymentId, watch: restarted.watch(found.paymentId) });
      return { before: paymentId, createdAgain: 'paymentId' in again ? again.paymentId : again.kind, found: found.paymentId };
    },
    rules: [
      {
        says: 'a client that starts anew, with the intent alone, asks with the same key and finds the same payment by its order id',
        source: 'document 4, sections 1.8 and 1.9',
        kind: 'outcome',
        look({ own, evidence }) {
          const [before, again, found] = [evidence['before'], evidence['createdAgain'], evidence['found']];
          const requests = of(own, 'initiatePayment', 'listPayments');
          return before === again && before === found
            ? shown(`payment ${String(found)}`, requests)
            : broken(`${String(before)}, then ${String(again)}, then ${String(found)}`, requests);
        },
      },
      goesThrough(['CancelledByClient']),
    ],
    documented: [
      'The daemon writes every intent to its journal on disk before the request leaves, and takes none back (test/unit/lane/lane.test.ts, test/counter/recovery.test.ts).',
    ],
  },
  {
    id: '24',
    section: 'G',
    title: 'Secrets stay inside the integrator’s organisation',
    source,
    rules: [],
    people: ['The client secret is on no till that somebody outside the integrator’s organisation can read, and in no public code (document 4, section 2).'],
  },
  {
    id: '25',
    section: 'G',
    title: 'What the customer sees',
    source,
    rules: [],
    people: [
      'A customer recognises the point of sale by its name (e.g. "Check-out 1"); logo and buttons are the provider’s present ones (document 4, section 1.5).',
    ],
  },
  {
    id: '26',
    section: 'G',
    title: 'Support data of each fault',
    source,
    rules: faultsAreKept,
  },
  {
    id: '27',
    section: 'G',
    title: 'Roll-out',
    source,
    rules: [],
    people: ['There is a merchant for a pilot, a plan for a gradual roll-out, and a way back.'],
  },
];
