import { setTimeout as sleep } from 'node:timers/promises';
import { managerRefundId, screenPaymentId } from '../../main/core/domain/ids.ts';
import type { Counter } from './counter.ts';
import type { Dice } from './dice.ts';
import { drawPlan, type Plan } from './plan.ts';
import { brokenAskingAgain, brokenRules, hasEnded, isUnsettled, unpaid } from './rules.ts';
import { replayPayment, replayRefund } from '../../main/core/settlement/apply.ts';
import type { Shop } from './shop.ts';

export interface RoundReport {
  /** The steps at which something was killed or cut. */
  readonly kills: readonly string[];
  /**
   * Time from start to "the lane takes payments" for the restarts during which the service
   * answered.
   */
  readonly restartsMs: readonly number[];
  /** Time from a till's repeated request for a refund after a restart to its end. */
  readonly clearedMs: readonly number[];
  readonly broken: readonly string[];
  /** File with the whole story of the round; null when no rule is broken. */
  readonly storyFile: string | null;
}

interface Played {
  readonly kills: string[];
  readonly restartsMs: number[];
  readonly clearedMs: number[];
}

const settledWithinMs = 15_000;
/** How long a till waits for the end of its command after its cable was out, before it asks. */
const tillPatienceMs = 6_000;

/**
 * Runs one payment during which something is killed, waits until nothing is under way, and checks
 * the rules.
 */
export async function playRound(shop: Shop, dice: Dice): Promise<RoundReport> {
  const played: Played = { kills: [], restartsMs: [], clearedMs: [] };
  const broken = await play(shop, drawPlan(dice), dice, played).catch((error: Error) => [
    `the round itself failed: ${error.stack ?? error.message}`,
  ]);
  return {
    ...played,
    broken,
    storyFile: broken.length === 0 ? null : await shop.writeStory(broken),
  };
}

/** @returns the rules that are broken */
async function play(shop: Shop, plan: Plan, dice: Dice, played: Played): Promise<string[]> {
  shop.beginRound();
  const counter = shop.counters[plan.counter % shop.counters.length] as Counter;
  const others = shop.counters.filter((other) => other !== counter);
  const shopCloses = new AbortController();
  // Such a refund needs a sale that was not refunded at all.
  const isWhole =
    plan.what === 'refund' &&
    plan.asksAgain &&
    (plan.victim === 'daemon' || plan.victim === 'both');
  if (
    isWhole ||
    ((plan.what === 'refund' || plan.what === 'managerRefund') && !counter.checkout.hasSold)
  ) {
    await sell(shop, counter);
    await settle(shop);
  }
  shop.tell(`plan: ${JSON.stringify(shop.kind)} ${JSON.stringify(plan)}`);

  counter.checkout.takesResult = plan.ending === 'tillRefusesResult' ? 'refuses' : 'positive';
  const paymentsBefore = counter.paymentsIn(await shop.books()).length;
  const blow = new Blow(shop, counter, plan, played.kills);
  const twice = plan.keyPressedTwice;
  const resultsBefore = counter.checkout.resultsHeard;
  const pressedBefore = new Set(shop.counters.flatMap(({ checkout }) => checkout.pressed));
  const request = isWhole
    ? counter.checkout.refund({ whole: true })
    : start[plan.what](shop, counter, twice);
  if (plan.what === 'refund' && plan.ending === 'tillAborts')
    void sleep(plan.customerMs).then(() => counter.checkout.abort());
  const cancel = (): Promise<void> => shop.cancelAt(counter);
  const customer =
    plan.what === 'sale' || plan.what === 'saleByHand'
      ? counter.beCustomer({ ...plan, paymentsBefore }, { closes: shopCloses.signal, cancel })
      : null;
  const beside = others.map(async (other) => {
    if (plan.besideMs === null) return;
    await sleep(plan.besideMs);
    await sell(shop, other);
  });

  // Failures are reported where the promises are awaited, further down.
  for (const underWay of [request, customer, ...beside]) underWay?.catch(() => {});
  await Promise.race([request, blow.struck]);
  // Where the step was not reached, the process is killed while nothing happens.
  await Promise.race([sleep(80), blow.struck]);
  blow.strike('at rest');
  await blow.struck;
  if (plan.victim === 'daemon' || plan.victim === 'both') await restart(shop, plan, dice, played);
  else if (plan.victim === 'cable') await Promise.race([request, sleep(tillPatienceMs)]);
  else if (plan.victim === 'daemonStopped') await reconnectUnsure(shop, [request, ...beside]);
  if (plan.victim === 'cable' && !counter.checkout.isSure) await reconnect(counter);
  if (isWhole) await askAgain(shop, counter, played);
  await Promise.all([request, blow.serviceIsBack, ...beside]);
  shopCloses.abort();
  await customer;
  shop.onStep = () => {};
  counter.checkout.takesResult = 'positive';

  const settled = await settle(shop);
  for (const { checkout, person } of shop.counters) {
    await checkout.settleBelief();
    await person.sendAgain();
  }
  const actions = shop.counters.flatMap(({ person }) => person.actions);
  const isByHand = plan.what === 'saleByHand' || plan.what === 'managerRefund';
  if (isByHand && counter.checkout.resultsHeard > resultsBefore)
    shop.unexpected.push('rule 2: the till was told of what was done at the screen');
  const pressed = shop.counters.flatMap(({ checkout }) => checkout.pressed);
  const pressedNow = pressed.filter((press) => !pressedBefore.has(press));
  if (plan.victim === 'daemonStopped' || plan.victim === 'serviceStopped')
    shop.unexpected.push(...unpaid(pressedNow));
  const damaged = shop
    .damagedJournals()
    .map((name) => `rule 7: a journal that nobody damaged was taken for damaged: ${name}`);
  const broken = [
    ...shop.unexpected,
    ...damaged,
    ...brokenRules(await shop.books(), shop.journal, pressed, actions),
  ];
  return settled || broken.length > 0 ? broken : ['rule 6: something never came to its end'];
}

/** Resolves when the till or the person knows the end. */
const start: Record<Plan['what'], (shop: Shop, counter: Counter, twice: boolean) => Promise<void>> =
  {
    sale: (_shop, { checkout }, twice) => checkout.pay({ twice }),
    refund: (_shop, { checkout }, twice) => checkout.refund({ twice }),
    async saleByHand(shop, { person }) {
      const { actionId } = await person.pay();
      await until(() =>
        shop.journal
          .sales()
          .some(
            ({ sale, events }) =>
              sale.saleId === screenPaymentId(actionId) && hasEnded(replayPayment(events)),
          ),
      );
    },
    async managerRefund(shop, { person }) {
      const { actionId } = await person.refund();
      await until(() =>
        shop.journal
          .refunds()
          .some(
            ({ request, events }) =>
              request.refundOrderId === managerRefundId(actionId) && hasEnded(replayRefund(events)),
          ),
      );
    },
  };

/** Waits until this is over, or ends silently after a time. */
async function until(isOver: () => boolean): Promise<void> {
  const giveUpAtMs = performance.now() + settledWithinMs;
  while (!isOver() && performance.now() < giveUpAtMs) await sleep(20);
}

/** The kill or cut of this round, which happens once, at its step or at its time. */
class Blow {
  readonly struck: Promise<void>;
  serviceIsBack: Promise<void> = Promise.resolve();
  strike: (why: string) => void = () => {};

  constructor(shop: Shop, counter: Counter, plan: Plan, kills: string[]) {
    let spared = plan.spared;
    this.struck = new Promise((resolve) => {
      this.strike = (why) => {
        this.strike = () => {};
        this.#hit(shop, counter, plan, why, kills).then(resolve, resolve);
      };
    });
    shop.onStep = (step) => {
      if (step === plan.step && spared-- <= 0) this.strike(step);
    };
    if (plan.step === null) void sleep(plan.afterMs).then(() => this.strike('any moment'));
  }

  /** Everything up to the first `await` happens in the same turn as the step. */
  async #hit(
    shop: Shop,
    counter: Counter,
    plan: Plan,
    why: string,
    kills: string[],
  ): Promise<void> {
    if (shop.daemon.child.exitCode !== null)
      shop.unexpected.push(
        `rule 8: the daemon ended by itself, with ${shop.daemon.child.exitCode}`,
      );
    if (plan.victim === 'service' || plan.victim === 'both') {
      const isKilled = plan.serviceIsKilled;
      shop.strikeService({ isKilled });
      this.serviceIsBack = sleep(plan.serviceAwayMs).then(() => shop.reviveService());
      kills.push(`service ${isKilled ? 'killed' : 'cut off'}: ${why}`);
    }
    switch (plan.victim) {
      case 'service':
        return;
      case 'serviceStopped':
      case 'daemonStopped': {
        const who = plan.victim === 'daemonStopped' ? 'daemon' : 'service';
        kills.push(`${who} stopped: ${why}`);
        return shop.stopForAWhile(who, plan.stoppedMs);
      }
      case 'cable':
        kills.push(`line of the till: ${why}`);
        return counter.breakLine(plan.cableOutMs);
      case 'daemon':
      case 'both':
        kills.push(why, ...(plan.askedToEndMs === null ? [] : ['while it ends']));
        if (why === 'create arrives') shop.gateway.lateMs = plan.lateMs;
        if (plan.askedToEndMs !== null) {
          shop.tell('SIGTERM');
          shop.daemon.child.kill('SIGTERM');
          await sleep(plan.askedToEndMs);
        }
        shop.killDaemon(why);
    }
  }
}

/**
 * Restarts the daemon, which is sometimes killed again during its start. The tills return at once,
 * or when the lanes are open.
 */
async function restart(
  shop: Shop,
  plan: Plan,
  dice: Dice,
  { kills, restartsMs }: Played,
): Promise<void> {
  const unaware = shop.counters.filter(
    ({ kind }) => kind.transport === 'serial' && plan.tillWaitsMs !== null,
  );
  const aware = shop.counters.filter((counter) => !unaware.includes(counter));
  await Promise.all(aware.map(({ checkout }) => checkout.hangUp()));
  const bury = async (): Promise<void> => {
    if (await shop.bury(plan.powerIsCut ? dice : null)) kills.push('a write torn by a power cut');
  };
  await bury();
  await sleep(plan.downMs);
  shop.gateway.lateMs = 0;
  if (plan.againAfterMs !== null) {
    shop.launchDaemon();
    await sleep(plan.againAfterMs);
    kills.push('while it starts');
    shop.killDaemon('while it starts');
    await bury();
  }
  const started = shop.startDaemon();
  // Over a cable, what is sent before the port is open is lost, and repeated after five seconds.
  const early = plan.tillAsksEarly ? aware.filter(({ kind }) => kind.transport === 'tcp') : [];
  for (const { checkout } of early) {
    await checkout.connect();
    await checkout.settleBelief();
  }
  const tookMs = await started;
  shop.journal.takeUp();
  for (const { checkout } of aware.filter((counter) => !early.includes(counter)))
    await checkout.connect();
  if (unaware.length > 0) await sleep(plan.tillWaitsMs ?? 0);
  for (const counter of unaware) await reconnect(counter);
  if (plan.victim === 'daemon') restartsMs.push(tookMs);
}

/** After the restart, the till requests the refund again whose end it did not receive. */
async function askAgain(shop: Shop, { checkout }: Counter, { clearedMs }: Played): Promise<void> {
  if (!checkout.isRefundOpen) return;
  checkout.takesResult = 'positive';
  const again = await checkout.refundAgain();
  if (again.endedMs !== null) clearedMs.push(again.endedMs);
  shop.tell(`asked again: ${JSON.stringify(again)}`);
  shop.unexpected.push(...brokenAskingAgain(again, checkout.refundedMinor, shop.journal.refunds()));
}

/** A till whose command was not answered in time has hung up. */
async function reconnectUnsure(shop: Shop, asked: readonly Promise<void>[]): Promise<void> {
  await Promise.all(asked);
  for (const counter of shop.counters) if (!counter.checkout.isSure) await reconnect(counter);
}

async function reconnect({ checkout }: Counter): Promise<void> {
  await checkout.hangUp();
  await checkout.connect();
}

/** A sale that the customer approves. */
async function sell(shop: Shop, counter: Counter): Promise<void> {
  const paymentsBefore = counter.paymentsIn(await shop.books()).length;
  const about = { ending: 'approves', customerMs: 0, paymentsBefore } as const;
  const done = new AbortController();
  const customer = counter.beCustomer(about, {
    closes: done.signal,
    cancel: () => Promise.resolve(),
  });
  await counter.checkout.pay();
  done.abort();
  await customer;
}

/** Waits until nothing is open; false when that did not happen in time. */
async function settle(shop: Shop): Promise<boolean> {
  const giveUpAtMs = performance.now() + settledWithinMs;
  while (!shop.gateway.isQuiet || isUnsettled(await shop.books(), shop.journal)) {
    if (performance.now() > giveUpAtMs) return false;
    await sleep(15);
  }
  return true;
}
