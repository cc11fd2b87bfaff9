import type { OutputOf } from '../../../preload/procedures.ts';
import type { TestPaymentState } from '../../../preload/procedures/setup-till.ts';
import type { Currency } from '../../core/domain/money.ts';
import type { Session } from '../server/session.ts';
import type { ApiSettings, LaneSettings, Settings } from '../settings/schema.ts';
import type { SecretSources } from '../../support/settings/secrets.ts';
import type { PreparedToken, Tokens } from '../../tills/http/tokens.ts';
import type { CheckInWatch } from '../../core/lane/wallet-port.ts';
import type { Recreations, Replaced } from './recreation.ts';

export type FileState = OutputOf<'setupState'>['file'];

/** A lane in use, as setup sees it. */
export interface LaneInUse {
  readonly id: string;
  /** Exact, e.g. `tcp:127.0.0.1:20007`. */
  readonly address: string;
  /** What the QR code says; null while the lane is not open, or when it has none. */
  readonly qr: string | null;
  /**
   * A code that the service draws itself, as `data:image/png;base64,…`; null when there is none, or
   * while it is not known.
   */
  readonly picture: string | null;
  /** The point of sale's id at the service; null while it is not open. */
  readonly posId: string | null;
}

/** What setup uses of the daemon. */
export interface SetupHost {
  /** The settings as in the file; null while the counter is not set up. */
  settings(): Settings | null;
  lanes(): readonly LaneInUse[];
  fileState(): FileState;
  starts(): OutputOf<'setupState'>['starts'];
  /** Whether a backup can be restored here now. */
  canRestore(): boolean;
  readonly secrets: SecretSources;
  readonly recreations: Recreations;
  /**
   * Changes run one after the other. @param to makes the new settings from those in use. @throws
   * Refusal when the old settings stay in use; also what `to` throws
   */
  change(to: (inUse: Settings | null) => Settings, replaced?: Replaced | null): Promise<void>;
  /**
   * Lets the installer add the first manager. @returns the one-time code
   * with which somebody else may; null when there is a manager
   */
  handOver(session: Session): string | null;
  /**
   * @throws Refusal pinNeeded unless a person vouches for this page: other computers are to reach
   * what it asks for
   */
  requirePerson(session: Session): void;
  /**
   * The port at which the settings in use have customers' displays served; null when they have not.
   */
  displaysPort(): Promise<number | null>;
  /** Tokens of tills that are programs. */
  readonly tokens: Pick<Tokens, 'prepare' | 'adopt' | 'revoke'>;
  /**
   * The port at which the settings in use have the HTTP API for tills served; null when they have
   * not.
   */
  apiPort(): Promise<number | null>;
  /**
   * Makes a payment at a lane in use, as a cashier does. @returns what is on disk, or why nothing
   * is
   */
  payByHand(
    laneId: string,
    payment: {
      readonly actionId: string;
      readonly amountMinor: number;
      readonly orderText: string;
      readonly isTest: true;
    },
  ): { readonly saleId: string } | { readonly refused: string };
  /** Check-ins at a lane in use; null while it is not open. */
  checkIns(laneId: string): CheckIns | null;
  /**
   * Checks the embedded simulator's phone in at a lane in use. @returns its number; null when the
   * service is not simulated here
   */
  checkInSimulated(laneId: string): string | null;
  /**
   * Refunds at a lane in use, as a manager does. @param refund with an `amountMinor` of null all of
   * it is refunded. @returns as `payByHand`
   */
  refund(
    laneId: string,
    refund: TestRefund,
  ): { readonly refundOrderId: string } | { readonly refused: string };
  /**
   * One lane over a simulated service of its own, with a journal of its own. @param api where its
   * till asks, if that is a program
   */
  openTestCounter(
    lane: LaneSettings,
    api: TestApi | null,
    changed: () => void,
  ): Promise<TestCounter>;
}

/** Check-ins at a lane. */
export interface CheckIns {
  readonly watch: CheckInWatch;
  /** Whether the lane is open and neither a payment nor a refund is under way. */
  isFree(): boolean;
}

export interface TestRefund {
  readonly actionId: string;
  readonly sale: { readonly saleId: string };
  readonly amountMinor: null;
  readonly note: string;
  readonly name: string;
}

export interface TestApi {
  readonly settings: ApiSettings;
  /** A token that is valid beside those that the lane has in use, or null. */
  readonly token: PreparedToken | null;
}

/** A counter that leaves nothing behind. */
export interface TestCounter {
  /** Where the till sends its requests; null when it is no program. */
  readonly api: TestPaymentState['api'];
  /** The last request of a web page that was refused; null for none. */
  refusedPage(): TestPaymentState['refusedPage'];
  /** How far the payment is; null before it has begun. */
  progress(): TestProgress | null;
  /** Starts a payment at the built-in till. */
  pay(amountMinor: number): Promise<void>;
  /** The simulated customer. */
  scan(): Promise<void>;
  approve(): Promise<void>;
  /** The service has the money. */
  isCaptured(): boolean;
  close(): Promise<void>;
}

export interface TestProgress {
  readonly step: 'askedByTill' | 'waitingForCustomer' | 'approveInApp' | 'paid' | 'notPaid';
  readonly amountMinor: number;
  readonly currency: Currency;
  /** Set with `notPaid`. */
  readonly reason: string | null;
}
