/**
 * Another PC of the same merchant, with a journal of its own: its manager gives back payments of
 * this shop, of which both know a part.
 */
import type { Lane } from '../../main/core/lane/lane.ts';
import { managerRefundId } from '../../main/core/domain/ids.ts';
import { pointOfSaleCapabilities } from '../../main/wallets/v10/point-of-sale/point-of-sale-capabilities.ts';
import { refundHandlers } from '../../main/counter/manager/refunds/refunds-handlers.ts';
import { capturedMinorOf } from '../../main/core/settlement/reservation.ts';
import { isFinal, refundOutcomeOf } from '../../main/core/settlement/outcome.ts';
import { refundedOf } from '../../main/core/settlement/refundable.ts';
import { unnamedShop } from '../../main/core/domain/shop.ts';
import type { Handlers } from '../../main/counter/server/router.ts';
import { ServiceEngine } from '../../main/sandbox/simulator/service-engine.ts';
import type { World } from '../../main/sandbox/simulator/world.ts';
import type { SimulatedPayment } from '../../main/sandbox/simulator/point-of-sale/point-of-sale-model.ts';
import { Refusal } from '../../preload/procedures/procedure.ts';
import type { SaleStory } from '../../preload/procedures/refunds.ts';
import { Books } from './books.ts';
import { Cable } from './cable.ts';
import { bootDaemon } from './daemon.ts';
import { memoryDisk } from './disk.ts';
import { Life } from './life.ts';
import { Network } from './network.ts';
import { Chance } from './random.ts';
import type { Broken } from './rules.ts';
import type { Stage } from './stage.ts';
import { merchant } from './wallets.ts';

/** The other counter does not take part in crashes of the process. */
class Unharmed extends Life {
  override survives(): boolean {
    return this.isAlive;
  }
}

interface OtherCounterOptions {
  readonly stage: Stage;
  readonly chance: Chance;
  readonly world: World;
  /** What is on the disk of the counter that took these payments. */
  readonly books: Books;
  readonly meddled: ReadonlySet<string>;
  /** Called when a refund may have reached the service. */
  readonly refundCame: () => void;
}

const laneId = 'other';
const anna = { manager: { managerId: '3d500000-0000-4000-8000-000000000001', name: 'Anna' } };

export class OtherCounter {
  readonly #options: OtherCounterOptions;
  readonly #books = new Books();
  readonly #lane: Lane;
  readonly #office: Handlers;
  #actionsLeft: number;
  #underWay = 0;

  constructor(options: OtherCounterOptions) {
    this.#options = options;
    const { stage, chance, world, refundCame } = options;
    const storeId = '51070000-0000-4000-8000-00000000000f';
    world.addStore({ storeId, merchantVat: merchant.merchantVat });
    const life = new Unharmed(stage, chance.fork(), {
      wallShiftMs: () => 0,
      died: () => {},
      standstills: new Chance(0),
    });
    const disk = memoryDisk();
    const network = new Network(stage, new ServiceEngine(world), chance.fork(), {
      arrived: ({ operation }) =>
        void (operation === 'createRefund' && stage.time.after(0, refundCame)),
    });
    const { lanes, payments } = bootDaemon({
      life,
      stage,
      chance: chance.fork(),
      network,
      disk,
      places: [
        {
          laneId,
          merchantPosId: 'checkout-elsewhere',
          storeId,
          flow: 'initiate',
          deadlineMs: 60_000,
          line: { kind: 'serial', cable: new Cable(stage, chance.fork(), 'cable elsewhere') },
        },
      ],
      service: 'v10',
      written: (entry) => this.#books.write(entry),
      changed: () => {},
    });
    this.#lane = lanes[0] as Lane;
    this.#office = refundHandlers({
      reader: () => this.#reader,
      lanes: () => lanes,
      service: () => payments && { payments, storeIds: [storeId] },
      shop: () => unnamedShop,
      capabilities: () => pointOfSaleCapabilities,
      clock: life.clock,
    });
    this.#actionsLeft = chance.between(2, 8);
    this.#lane
      .start()
      .catch((error: unknown) =>
        stage.surprises.push(`the other counter's lane cannot start: ${String(error)}`),
      );
    this.#later();
  }

  get isSettled(): boolean {
    return (
      this.#actionsLeft === 0 &&
      this.#underWay === 0 &&
      [...this.#books.refunds.values()].every(isFinal)
    );
  }

  /** The rules to check once nothing happens any more. */
  async broken(): Promise<Broken[]> {
    const { world, stage, meddled } = this.#options;
    const broken: Broken[] = [...this.#books.broken];
    for (const payment of world.payments.values()) {
      if (meddled.has(payment.orderId) || payment.status !== 'Captured') continue;
      broken.push(
        ...this.#together(payment).map(
          (what): Broken => ({ rule: 5, what: `refunds of both counters are covered: ${what}` }),
        ),
      );
      let isRead = false;
      const reading = this.#left(payment).finally(() => (isRead = true));
      await stage.time.pass(600_000, () => isRead);
      const what = isRead ? await reading : 'the service was not heard';
      if (what !== null)
        broken.push({
          rule: 9,
          what: `the other counter says what is left: of order ${payment.orderId} ${what}`,
        });
    }
    return broken;
  }

  /**
   * Each journal by itself is within the payment; what both say to have given back has to be, and
   * to be what the service gave back.
   */
  #together({ paymentId, orderId, capturedMinor, refunds }: SimulatedPayment): string[] {
    const { books, meddled } = this.#options;
    const here = books.ofOrder(orderId);
    const all = [...books.refunds.values(), ...this.#books.refunds.values()].filter(
      ({ request }) => request.saleId === here?.sale.saleId || request.paymentId === paymentId,
    );
    if (all.some(({ request: { refundOrderId } }) => meddled.has(refundOrderId))) return [];
    const reportedMinor = refundedOf(all);
    const backMinor = paidOutOf(refunds);
    return [
      ...(reportedMinor > capturedMinor
        ? [`of order ${orderId} over ${capturedMinor} the journals refund ${reportedMinor}`]
        : []),
      ...(all.every(
        (refund) => refundOutcomeOf(refund) !== null && refund.kind !== 'needsPerson',
      ) && reportedMinor !== backMinor
        ? [`of order ${orderId} the journals refund ${reportedMinor}, and the service ${backMinor}`]
        : []),
    ];
  }

  /** What is wrong with a payment; null when it is as it is at the service. */
  async #left({ paymentId, terms, refunds }: SimulatedPayment): Promise<string | null> {
    const taken = await this.#ask<{ saleId: string }>('takeOverPayment', { paymentId });
    if (taken instanceof Refusal) return `nothing can be said: ${taken.code}`;
    const page = (await this.#ask('saleStory', taken)) as SaleStory;
    if (page.refunds.some(({ refundOrderId }) => this.#options.meddled.has(refundOrderId)))
      return null;
    if (page.refunds.some(({ state }) => state !== 'refunded' && state !== 'notRefunded'))
      return null;
    // The interface names what was reserved, and not what was captured of it: of the rest the
    // service refuses refunds. A refund that the service has forgotten cannot be counted.
    const leftMinor = (terms?.amountMinor ?? 0) - paidOutOf(refunds);
    return page.leftMinor === leftMinor ? null : `${page.leftMinor}, and it is ${leftMinor}`;
  }

  #later(): void {
    const { stage, chance } = this.#options;
    stage.time.after(chance.steeply(5_000, 200_000), () => {
      this.#actionsLeft -= 1;
      this.#act();
      if (this.#actionsLeft > 0) this.#later();
    });
  }

  /** A customer comes to this counter with a payment of the other one. */
  #act(): void {
    const { stage, chance, world } = this.#options;
    const captured = [...world.payments.values()].filter(({ status }) => status === 'Captured');
    if (captured.length === 0) return;
    const payment = chance.one(captured);
    const actionId = chance.uuid();
    const share = chance.is(0.3) ? 1 : chance.next();
    const clicks = chance.is(0.6) ? 1 : chance.between(2, 3);
    for (let click = 0; click < clicks; click += 1) {
      this.#underWay += 1;
      stage.time.after(click === 0 ? 0 : chance.steeply(10, 30_000), () => {
        this.#giveBack(payment, actionId, share)
          .then((answer) =>
            stage.say(
              'elsewhere',
              () => `gives back of ${payment.orderId} (action ${actionId.slice(0, 8)}): ${answer}`,
            ),
          )
          .catch((error: unknown) =>
            stage.surprises.push(`the other counter cannot refund: ${String(error)}`),
          )
          .finally(() => (this.#underWay -= 1));
      });
    }
  }

  async #giveBack(
    { paymentId }: SimulatedPayment,
    actionId: string,
    share: number,
  ): Promise<string> {
    const taken = await this.#ask<{ saleId: string }>('takeOverPayment', { paymentId });
    if (taken instanceof Refusal) return taken.code;
    const { leftMinor } = (await this.#ask('saleStory', taken)) as SaleStory;
    // The amount as chosen at the first click, because a repeated click must not change it.
    const amountMinor =
      this.#books.refunds.get(managerRefundId(actionId))?.request.amountMinor ??
      Math.max(1, Math.ceil(leftMinor * share));
    const answer = await this.#ask('refund', { ...taken, actionId, amountMinor, note: null });
    return answer instanceof Refusal ? answer.code : `${amountMinor} of ${leftMinor}`;
  }

  async #ask<Value>(name: string, asked: object): Promise<Value | Refusal> {
    try {
      return (await this.#office[name as 'refund']?.(asked as never, anna)) as Value;
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  }

  /** The journal's reader of this counter. */
  get #reader(): Parameters<typeof refundHandlers>[0]['reader'] extends () => infer Reader
    ? Reader
    : never {
    const { payments, refunds } = this.#books;
    const sale = (saleId: string) => {
      const payment = payments.get(saleId);
      if (payment === undefined) throw new Error(`no payment ${saleId}`);
      const ofSale = [...refunds.values()].filter(({ request }) => request.saleId === saleId);
      return {
        requestedAtMs: 0,
        payment,
        refunds: ofSale.map((refund) => ({ requestedAtMs: 0, refund })),
      };
    };
    return {
      sale,
      story: (saleId) => {
        const payment = payments.get(saleId);
        return payment === undefined
          ? []
          : [
              {
                seq: 1,
                atMs: 0,
                laneId,
                saleId,
                refundOrderId: null,
                event: { type: 'saleRequested', sale: payment.sale },
              },
            ];
      },
      findSales: ({ paymentId }) => {
        if (paymentId === undefined) throw new Error('only asked by the id of a payment here');
        const rows = [...payments.values()].flatMap((payment) => {
          const {
            saleId,
            laneId: lane,
            amountMinor,
            currency,
            receiptNumber,
            traceNumber,
            orderId,
          } = payment.sale;
          if (
            !('paymentId' in payment) ||
            payment.paymentId === null ||
            payment.paymentId !== paymentId
          )
            return [];
          const refundedMinor = refundedOf(sale(saleId).refunds.map(({ refund }) => refund));
          const about = {
            saleId,
            laneId: lane,
            atMs: 0,
            amountMinor,
            currency,
            receiptNumber,
            traceNumber,
            orderId,
            paymentId: payment.paymentId,
          };
          return {
            ...about,
            state: payment.kind,
            capturedMinor: capturedMinorOf(payment),
            refundedMinor,
            refundedAtTillMinor: 0,
          };
        });
        return { rows, next: null };
      },
    };
  }
}

/** The sum of a payment's refunds that the service has paid out. */
function paidOutOf(refunds: SimulatedPayment['refunds']): number {
  return refunds.reduce(
    (sum, { status, amountMinor }) =>
      sum + (status === 'Captured' || status === 'ExpiredAndCaptured' ? amountMinor : 0),
    0,
  );
}
