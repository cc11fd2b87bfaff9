import type { Dice } from './dice.ts';
import {
  cancelSteps,
  managerRefundSteps,
  paidByHandSteps,
  paidSteps,
  refundSteps,
  serviceSteps,
  type Step,
  waitingSteps,
} from './steps.ts';

/** What happens in a round. */
export interface Plan {
  /**
   * `sale` and `refund` come from the till; `saleByHand` from the cashier's screen, `managerRefund`
   * from the manager's.
   */
  readonly what: 'sale' | 'refund' | 'saleByHand' | 'managerRefund';
  readonly ending: 'approves' | 'refuses' | 'tillAborts' | 'cashierCancels' | 'tillRefusesResult';
  /** Index of the counter whose till or screen is used. */
  readonly counter: number;
  /** The delay after which the other tills sell too, in milliseconds; null when they do not. */
  readonly besideMs: number | null;
  /** Whether the till's request is sent twice. */
  readonly keyPressedTwice: boolean;
  /**
   * `cable` is the till's. `daemonStopped` and `serviceStopped`: the process stands still, and goes
   * on with what was sent meanwhile.
   */
  readonly victim: 'daemon' | 'service' | 'both' | 'cable' | 'daemonStopped' | 'serviceStopped';
  /** The step at which the victim is struck; null for any moment. */
  readonly step: Step | null;
  /** How many times the step passes before the kill. */
  readonly spared: number;
  readonly afterMs: number;
  readonly customerMs: number;
  /**
   * Whether the service is killed. Otherwise it is cut off and stopped, and carries out pending
   * requests when it is back.
   */
  readonly serviceIsKilled: boolean;
  readonly serviceAwayMs: number;
  readonly cableOutMs: number;
  readonly stoppedMs: number;
  /** Time between SIGTERM and SIGKILL; null for SIGKILL at once. */
  readonly askedToEndMs: number | null;
  /** Whether the power is cut: what was not synced to disk may be lost too. */
  readonly powerIsCut: boolean;
  readonly downMs: number;
  /**
   * The delay of the daemon's last request on its way to the service. Only a create request is
   * looked up so soon again.
   */
  readonly lateMs: number;
  /** Time after which the restarted daemon is killed too; null when it is not. */
  readonly againAfterMs: number | null;
  /** Whether the till asks about its request before the lane is open again. */
  readonly tillAsksEarly: boolean;
  /**
   * Whether a till's refund is of a whole sale, and is requested again as soon as the daemon is
   * back, whatever became of it.
   */
  readonly asksAgain: boolean;
  /**
   * Over a cable a till does not notice that the daemon is gone: it goes on waiting for so long
   * after the lane is open.
   */
  readonly tillWaitsMs: number | null;
}

const stopped = ['daemonStopped', 'daemonStopped', 'daemonStopped', 'serviceStopped'] as const;
const victims = [
  'daemon',
  'daemon',
  'daemon',
  'daemon',
  'daemon',
  'both',
  'both',
  'service',
  'service',
  'service',
  'cable',
  ...stopped,
] as const;

export function drawPlan(dice: Dice): Plan {
  const what = dice.pick([
    'sale',
    'sale',
    'sale',
    'sale',
    'refund',
    'refund',
    'saleByHand',
    'saleByHand',
    'managerRefund',
    'managerRefund',
  ] as const);
  const ofSale = dice.pick([
    'approves',
    'approves',
    'approves',
    'approves',
    'refuses',
    'tillAborts',
    'cashierCancels',
    'tillRefusesResult',
  ] as const);
  const ofRefund = dice.pick([
    'approves',
    'approves',
    'approves',
    'tillAborts',
    'tillRefusesResult',
  ] as const);
  const ofHand = dice.pick([
    'approves',
    'approves',
    'approves',
    'refuses',
    'cashierCancels',
  ] as const);
  const ending = {
    sale: ofSale,
    refund: ofRefund,
    saleByHand: ofHand,
    managerRefund: 'approves' as const,
  }[what];
  const ofEnding = {
    approves: paidSteps,
    refuses: waitingSteps,
    tillAborts: cancelSteps,
    cashierCancels: cancelSteps,
    tillRefusesResult: cancelSteps,
  };
  const how = dice.roll();
  const isMidWrite = how >= 0.25 && how < 0.45;
  const ofWhat = {
    sale: ofEnding[ending],
    refund: refundSteps,
    saleByHand: ending === 'approves' ? paidByHandSteps : ofEnding[ending],
    managerRefund: managerRefundSteps,
  };
  const victim = dice.pick(victims);
  const ofService = serviceSteps(ofWhat[what]);
  const steps =
    (victim === 'service' || victim === 'serviceStopped') && ofService.length > 0
      ? ofService
      : ofWhat[what];
  return {
    what,
    ending,
    counter: dice.between(0, 1),
    besideMs: dice.chance(0.7) ? dice.between(0, 400) : null,
    keyPressedTwice: dice.chance(0.2),
    victim,
    step:
      victim === 'daemonStopped' && how < 0.4
        ? 'the till hears 04 0F'
        : how < 0.25
          ? null
          : isMidWrite
            ? victim === 'service'
              ? 'the books are being written'
              : 'the journal is being written'
            : dice.pick(steps),
    spared: isMidWrite ? dice.between(0, 9) : 0,
    afterMs: dice.between(0, what === 'sale' || what === 'saleByHand' ? 700 : 250),
    customerMs: dice.between(0, 120),
    serviceIsKilled: dice.chance(0.75),
    serviceAwayMs: dice.between(50, 500),
    cableOutMs: dice.between(20, 600),
    // Mostly longer than T3, which is 5 s.
    stoppedMs: dice.chance(0.3) ? dice.between(100, 5_000) : dice.between(5_000, 12_000),
    askedToEndMs: dice.chance(0.1) ? dice.between(0, 60) : null,
    powerIsCut: dice.chance(isMidWrite ? 0.6 : 0.2),
    downMs: dice.between(0, 120),
    lateMs: dice.chance(0.4) ? dice.between(50, 1_200) : 0,
    againAfterMs: dice.chance(0.12) ? dice.between(30, 450) : null,
    tillAsksEarly: dice.chance(0.3),
    tillWaitsMs: dice.chance(0.3) ? dice.between(0, 400) : null,
    asksAgain: dice.chance(0.5),
  };
}
