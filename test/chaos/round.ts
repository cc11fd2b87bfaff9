import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from './dice.ts';
import { brokenRules, isUnsettled } from './rules.ts';
import type { Shop } from './shop.ts';
import { cancelSteps, paidSteps, refundSteps, type Step, waitingSteps } from './steps.ts';

export interface RoundReport {
  /** Where the daemon was killed. */
  readonly kills: readonly string[];
  /** From start to "the lane takes payments", of restarts during which the service answered. */
  readonly restartsMs: readonly number[];
  readonly broken: readonly string[];
}

/** What this round has in store. */
interface Plan {
  readonly what: 'sale' | 'refund';
  readonly ending: 'approves' | 'refuses' | 'tillAborts' | 'tillRefusesResult';
  readonly victim: 'daemon' | 'service' | 'both';
  /** null: at any moment. */
  readonly step: Step | null;
  /** So many times the step passes unharmed. */
  readonly spared: number;
  readonly afterMs: number;
  readonly customerMs: number;
  readonly serviceAwayMs: number;
  readonly downMs: number;
  /** What the daemon's last request still needs to reach the service; only a create request is looked for so soon again. */
  readonly lateMs: number;
  /** The restarted daemon is killed too, so long after its start. */
  readonly againAfterMs: number | null;
  /** The till asks what became of its request before the lane is open again. */
  readonly tillAsksEarly: boolean;
}

const settledWithinMs = 12_000;

function drawPlan(dice: Dice): Plan {
  const what = dice.chance(0.3) ? 'refund' : 'sale';
  const ending = dice.pick([
    'approves',
    'approves',
    'approves',
    'approves',
    what === 'sale' ? 'refuses' : 'approves',
    'tillAborts',
    'tillRefusesResult',
  ] as const);
  const named =
    what === 'refund' ? refundSteps : { approves: paidSteps, refuses: waitingSteps, tillAborts: cancelSteps, tillRefusesResult: cancelSteps }[ending];
  const victim = dice.pick(['daemon', 'daemon', 'daemon', 'daemon', 'daemon', 'daemon', 'both', 'service'] as const);
  const how = dice.roll();
  return {
    what,
    ending,
    victim,
    step: how < 0.25 ? null : how < 0.4 ? 'the journal is being written' : dice.pick(named),
    spared: how >= 0.25 && how < 0.4 ? dice.between(0, 9) : 0,
    afterMs: dice.between(0, what === 'sale' ? 700 : 250),
    customerMs: dice.between(0, 120),
    serviceAwayMs: dice.between(50, 500),
    downMs: dice.between(0, 120),
    lateMs: dice.chance(0.4) ? dice.between(50, 1_200) : 0,
    againAfterMs: dice.chance(0.12) ? dice.between(30, 450) : null,
    tillAsksEarly: dice.chance(0.3),
  };
}

/** One payment during which something is killed, everything that follows until nothing is under way, and what it shows. */
export async function playRound(shop: Shop, dice: Dice): Promise<RoundReport> {
  const since = shop.journal.lastSeq;
  const report = await play(shop, drawPlan(dice)).catch((error: Error): RoundReport => ({ kills: [], restartsMs: [], broken: [error.message] }));
  if (report.broken.length > 0) {
    const { payments, refunds } = await shop.books();
    shop.story.push('the journal:', ...shop.journal.lines(since), 'the service:', ...payments.slice(-3).map((payment) => JSON.stringify(payment)));
    shop.story.push(...refunds.slice(-3).map((refund) => JSON.stringify(refund)), 'the daemon:', ...shop.daemon.stderr.trim().split('\n').slice(-30));
  }
  return report;
}

async function play(shop: Shop, plan: Plan): Promise<RoundReport> {
  const kills: string[] = [];
  const restartsMs: number[] = [];
  shop.beginStory();
  if (plan.what === 'refund' && !shop.checkout.hasSold) await sell(shop);
  shop.tell(`plan: ${JSON.stringify({ ...shop.kind, ...plan })}`);
  const over = new AbortController();
  const shopCloses = new AbortController();
  const serviceIsBack: Promise<void>[] = [];

  const struck = new Promise<void>((resolve) => {
    let spared = plan.spared;
    let done = false;
    const strike = (why: string): void => {
      if (done) return;
      done = true;
      if (plan.victim !== 'daemon') {
        shop.freezeService();
        serviceIsBack.push(sleep(plan.serviceAwayMs).then(() => shop.thawService()));
      }
      if (shop.daemon.child.exitCode !== null) shop.unexpected.push(`rule 8: the daemon ended by itself, with ${shop.daemon.child.exitCode}`);
      if (plan.victim !== 'service') {
        kills.push(why);
        if (why === 'create arrives') shop.gateway.lateMs = plan.lateMs;
        shop.killDaemon(why);
        resolve();
      } else kills.push(`service: ${why}`);
    };
    shop.onStep = (step) => {
      if (step === plan.step && spared-- <= 0) strike(step);
    };
    if (plan.step === null) void sleep(plan.afterMs).then(() => strike('any moment'));
    over.signal.addEventListener('abort', () => strike('at rest'), { once: true });
  });

  shop.checkout.takesResult = plan.ending === 'tillRefusesResult' ? 'refuses' : 'positive';
  const paymentsBefore = (await shop.books()).payments.length;
  const asked = plan.what === 'refund' ? shop.checkout.refund() : shop.checkout.pay();
  if (plan.what === 'refund' && plan.ending === 'tillAborts') void sleep(plan.customerMs).then(() => shop.checkout.abort());
  const customer = plan.what === 'sale' ? beCustomer(shop, plan, paymentsBefore, shopCloses.signal) : null;
  await Promise.race([asked, struck]);
  // Whoever was to be struck at a step that never came is struck at rest.
  await Promise.race([sleep(80), struck]);
  over.abort();
  if (plan.victim !== 'service') {
    await struck;
    await shop.checkout.hangUp();
    await Promise.all([asked, shop.daemon.exited]);
    await sleep(plan.downMs);
    restartsMs.push(...(await restart(shop, plan, kills)));
  }
  await Promise.all([asked, ...serviceIsBack]);
  shopCloses.abort();
  await customer;
  shop.onStep = () => {};
  shop.checkout.takesResult = 'positive';
  const settled = await settle(shop);
  await shop.checkout.settleBelief();
  const broken = [...shop.unexpected, ...brokenRules(await shop.books(), shop.journal, shop.checkout.pressed)];
  if (!settled && broken.length === 0) broken.push('rule 6: something never came to its end');
  return { kills, restartsMs, broken };
}

/** The daemon comes back; now and then it is killed again on its way. The till is back at once, or when the lane is open. */
async function restart(shop: Shop, plan: Plan, kills: string[]): Promise<number[]> {
  shop.gateway.lateMs = 0;
  shop.tell('the daemon is started again');
  if (plan.againAfterMs !== null) {
    shop.launchDaemon();
    await sleep(plan.againAfterMs);
    kills.push('while it starts');
    shop.killDaemon('while it starts');
    await shop.daemon.exited;
  }
  const started = shop.startDaemon();
  // Over a cable, what is sent before the port is open is lost, and repeated after five seconds.
  if (plan.tillAsksEarly && shop.kind.transport === 'tcp') {
    await shop.checkout.connect();
    await shop.checkout.settleBelief();
    await started;
  } else {
    await started;
    await shop.checkout.connect();
  }
  shop.tell(`the lane is open after ${(await started).toFixed(0)} ms`);
  return plan.victim === 'daemon' ? [await started] : [];
}

/** Something that can be given back. */
async function sell(shop: Shop): Promise<void> {
  const known = (await shop.books()).payments.length;
  const sold = shop.checkout.pay();
  await Promise.all([sold, beCustomer(shop, { ending: 'approves', customerMs: 0 }, known, new AbortController().signal)]);
  await settle(shop);
}

/** Finds the payment, checks in, approves or not, whatever has become of the shop in between. */
async function beCustomer(shop: Shop, plan: Pick<Plan, 'ending' | 'customerMs'>, paymentsBefore: number, closes: AbortSignal): Promise<void> {
  let checkedIn = false;
  while (!closes.aborted) {
    const payment = (await shop.books()).payments[paymentsBefore];
    switch (payment?.status) {
      case 'Initiated':
      case 'Prepared':
        if (!checkedIn) {
          await sleep(plan.customerMs);
          checkedIn = await shop.phone('checkin');
        }
        break;
      case 'IssuedToUser':
        await sleep(plan.customerMs);
        if (plan.ending === 'tillAborts') shop.checkout.abort();
        else await shop.phone(plan.ending === 'refuses' ? 'refuse' : 'accept');
        return;
      case undefined:
      case 'Paired':
        break;
      default:
        return;
    }
    await sleep(8);
  }
}

/** false: it never was. */
async function settle(shop: Shop): Promise<boolean> {
  const giveUpAtMs = performance.now() + settledWithinMs;
  while (!shop.gateway.isQuiet || isUnsettled(await shop.books(), shop.journal)) {
    if (performance.now() > giveUpAtMs) return false;
    await sleep(15);
  }
  return true;
}
