/**
 * The contract between the daemon and its pages: the views, and the messages that carry views and
 * calls of procedures (`procedures.ts`) over Electron's IPC or a WebSocket at `socketPath`. There
 * are no other messages. Both sides check every one.
 */
import { z } from 'zod';
import { beaconTypes } from '../main/core/domain/beacons.ts';
import { languages } from '../main/core/domain/languages.ts';
import type { AnswerTo, InputOf, ProcedureName } from './procedures.ts';
import {
  notPaidReasons,
  notReadyReasons,
  notRefundedReasons,
} from '../main/core/domain/reasons.ts';
import { serviceNames } from '../main/core/domain/sale.ts';
import { customerRefusals } from '../main/core/domain/named-customer.ts';
import { tillLinks } from '../main/core/domain/till-links.ts';
import { Amount, Claimant, moneyKnown, ServiceKind, Unsettled } from './procedures/lane.ts';
import { Answer } from './procedures/procedure.ts';

export type { ServiceKind } from './procedures/lane.ts';
export { socketPath } from './procedures/plain.ts';

export const NotPaidReason = z.enum(notPaidReasons);
export const NotRefundedReason = z.enum(notRefundedReasons);
export const NotReadyReason = z.enum(notReadyReasons);
const Language = z.enum(languages);

/** Limits of the wallet service's loyalty ids, which have to fit on the screen. */
export const maxLoyaltyIds = 10;
export const maxLoyaltyIdLength = 60;

/**
 * A code that a customer scans: of one payment, or of a sticker. The daemon fetches the picture
 * from the provider.
 */
const OwnCode = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string().min(1).max(500) }),
  z.object({
    kind: z.literal('picture'),
    picture: z.string().startsWith('data:image/png;base64,').max(150_000),
  }),
]);
export type OwnCode = z.infer<typeof OwnCode>;

/** Set for a test payment of setup, which hands over no goods. Missing on the customer's screen. */
const isTest = z.literal(true).optional();

/** A sale under way, for the cashier's and the customer's screen. */
const OnItsWay = Amount.extend({
  saleId: z.uuid(),
  /**
   * Milliseconds until the daemon's deadline when the view was sent. The screen counts down from
   * its arrival.
   */
  remainingMs: z.int().nonnegative(),
  /** The text of the QR code; null without one. */
  qr: z.string().min(1).nullable(),
  /**
   * The code of this payment, or of the lane's sticker; `qr` is null then. The service does not
   * report scans. Missing without a code, or when it cannot be scanned now.
   */
  ownCode: OwnCode.optional(),
  /**
   * Milliseconds since the service stopped answering, when the view was sent. The screen counts up
   * from its arrival. Missing while the service answers.
   */
  unansweredMs: z.int().nonnegative().optional(),
  canCancel: z.boolean(),
  by: Claimant,
  isTest,
  /** The amount is only reserved, to be captured or cancelled later. Missing for a payment. */
  isReservation: z.literal(true).optional(),
});

export const LaneState = z.discriminatedUnion('kind', [
  /** `sinceMs`: the time at which the service stopped answering. Only while it does not answer. */
  z.object({
    kind: z.literal('notReady'),
    reason: NotReadyReason,
    detail: z.string().nullable(),
    sinceMs: z.number().optional(),
  }),
  z.object({ kind: z.literal('idle') }),
  /** `isFetchingCode`: the payment is created, and the picture of its code has not arrived. */
  OnItsWay.extend({
    kind: z.literal('contactingService'),
    isFetchingCode: z.literal(true).optional(),
  }),
  OnItsWay.extend({ kind: z.literal('waitingForCustomer') }),
  /**
   * `toAgree`: set for a manual payment whose amount the cashier keeps or changes now; missing when
   * the amount has been sent.
   */
  OnItsWay.extend({ kind: z.literal('customerFound'), toAgree: z.literal(true).optional() }),
  OnItsWay.extend({ kind: z.literal('approveInApp') }),
  /** Reserved, and the till receives the result. Not paid yet: do not hand over the goods. */
  OnItsWay.extend({ kind: z.literal('confirming') }),
  /**
   * `mayLeaveInMs`: after this time the cashier may leave the screen, also without an answer of the
   * service. It counts down like `remainingMs`.
   */
  OnItsWay.extend({ kind: z.literal('cancelling'), mayLeaveInMs: z.int().nonnegative() }),
  Amount.extend({ kind: z.literal('paid'), saleId: z.uuid(), by: Claimant, isTest }),
  /** Reserved for days and not paid, to be captured or cancelled later. */
  Amount.extend({ kind: z.literal('reserved'), saleId: z.uuid(), by: Claimant, isTest }),
  /** With a `known` other than `notMoved` it is still being cancelled at the service. */
  Amount.extend({
    kind: z.literal('notPaid'),
    saleId: z.uuid(),
    by: Claimant,
    isTest,
    reason: NotPaidReason,
    known: z.enum(moneyKnown),
  }),
]);
export type LaneState = z.infer<typeof LaneState>;
export type LaneStateKind = LaneState['kind'];

/** How many days the payment can be refunded, by its provider. */
const refundDays = z.int().positive();
const OneRefund = Amount.extend({
  saleId: z.uuid(),
  refundOrderId: z.string().max(36),
});
/** Independent of the lane's state, because a manager's refund can run beside a sale. */
const LaneRefund = z.discriminatedUnion('kind', [
  /** Not decided yet; no money goes back so far. */
  OneRefund.extend({ kind: z.literal('refunding') }),
  /** `isConfirmed`: whether the service has confirmed it. */
  OneRefund.extend({ kind: z.literal('refunded'), isConfirmed: z.boolean() }),
  OneRefund.extend({
    kind: z.literal('notRefunded'),
    reason: NotRefundedReason,
    refundDays,
    isConfirmed: z.boolean(),
  }),
]);

/** One of the last payments. */
const Recent = Amount.extend({
  saleId: z.uuid(),
  orderId: z.string(),
  receiptNumber: z.int(),
  startedAtMs: z.number(),
  by: Claimant,
  isTest,
  /** Why it is not paid; null when it is paid, held when it is reserved. */
  reason: z.enum([...notPaidReasons, 'held']).nullable(),
  /** The captured part; missing when all of it or nothing is captured. */
  capturedMinor: z.int().positive().optional(),
  /**
   * decided: the service has not confirmed it yet. contested: the service contradicts it, and a
   * person must act.
   */
  certainty: z.enum(['decided', 'confirmed', 'contested']),
  refundedMinor: z.int().nonnegative(),
});
export type Recent = z.infer<typeof Recent>;

/** What the customer's screen needs beside the state. It contains no personal data. */
const ForCustomer = z.object({
  shopName: z.string().nullable(),
  /** Address of the logo, loadable by this screen; null without one. */
  logo: z.string().nullable(),
  /** Address of the picture, loadable by this screen; null without one. */
  picture: z.string().nullable(),
  /** The shop's language; null for that of the screen's own system. */
  language: Language.nullable(),
  /** The names of the apps that can pay, the usual one first; missing when they are not known. */
  apps: z.array(z.string().max(40)).max(4).optional(),
  /**
   * Set while customers may type their telephone number at this screen. Never set on other devices.
   */
  numberPad: z.literal(true).optional(),
  /**
   * How a customer can check in before there is an amount; null when the screens do not ask for it.
   */
  checkIn: z
    .object({
      /**
       * null when `ownCode` is shown instead, and where the lane has a tag or a box and no code.
       */
      qr: z.string().min(1).nullable(),
      /** The code of the sticker. */
      ownCode: OwnCode.optional(),
      isCheckedIn: z.boolean(),
    })
    .nullable(),
});

/**
 * The customer whom the cashier or a scanner names, by the code in the customer's app or by
 * telephone number, before or after the amount. `isNamed`: somebody is named for the payment under
 * way, or the next. `number`: masked; null for a code, or when it is not for this screen. `isSent`:
 * the request was sent to the phone. `refused`: why the service refused the one before. `sticker`:
 * whether there is one to scan, or it was scanned; missing when the lane has none.
 */
const NamedCustomer = z.object({
  isNamed: z.boolean(),
  number: z.string().max(20).nullable(),
  isSent: z.boolean(),
  refused: z.enum(customerRefusals).nullable(),
  sticker: z.enum(['there', 'scanned']).optional(),
});
export type NamedCustomer = z.infer<typeof NamedCustomer>;

export const LaneView = z.object({
  laneId: z.string(),
  name: z.string(),
  currency: Amount.shape.currency,
  state: LaneState,
  /** The ways in which a customer's phone can find the lane. */
  beacons: z.array(z.enum(beaconTypes)),
  service: ServiceKind,
  customer: ForCustomer,
  till: z.object({
    address: z.string(),
    link: z.enum(tillLinks),
    detail: z.string().nullable(),
    heardAtMs: z.number().nullable(),
  }),
  /**
   * The loyalty ids of the customer of the current payment, or of the customer who has checked in
   * for the next one. null until they are looked up. Only on the cashier's screen; missing on other
   * screens, and while no customer is known.
   */
  loyaltyIds: z
    .array(z.string().min(1).max(maxLoyaltyIdLength))
    .max(maxLoyaltyIds)
    .nullable()
    .optional(),
  /**
   * Set where the service has a code for each payment. It does not tell when somebody has scanned
   * it.
   */
  codePerPayment: z.literal(true).optional(),
  /** Missing on lanes where customers are not named. */
  named: NamedCustomer.optional(),
  /** The latest refund, while it is under way and shortly after. */
  refund: LaneRefund.nullable(),
  unsettled: z.array(Unsettled),
  /** The last payments that are decided, newest first. */
  recent: z.array(Recent).max(10),
  /** A payment that the till asked for while another was under way, and that was refused. */
  tried: Amount.optional(),
  /** Whether payments can be reserved, to be captured later. */
  takesReservations: z.boolean(),
  /** The number of reservations that are neither captured nor cancelled. */
  openReservations: z.int().nonnegative(),
  /** Reservations that expire within a day; `firstMs`: when the first one does, wall clock. */
  reservationsEnding: z.object({ count: z.int().positive(), firstMs: z.number() }).nullable(),
  /** Set when the journal was found damaged. While `repaired` is false, a restart repairs it. */
  journalDamage: z.object({ repaired: z.boolean(), lostSales: z.int().nonnegative() }).nullable(),
  /**
   * Problems of this computer that should be fixed before they prevent payments. Missing without
   * problems, and on the customer's screen. `clockOffSeconds`: how far its clock is ahead of the
   * service's; null when it is right or unknown.
   */
  computer: z
    .object({ clockOffSeconds: z.int().nullable(), disk: z.enum(['low', 'full']).nullable() })
    .optional(),
});
export type LaneView = z.infer<typeof LaneView>;

const TillLogLine = z.object({
  seq: z.int(),
  atMs: z.number(),
  /** The direction from the demo till's side. */
  direction: z.enum(['sent', 'received']),
  /** Upper-case hex, bytes separated by spaces. */
  hex: z.string(),
  /** The frame in words, e.g. `Authorisation 06 01: amount 12.34 DKK`. */
  meaning: z.string(),
});

/** The demo till's keys that send a command, and a payment. */
const demoCommands = [
  'payment',
  'refund',
  'repeatReceipt',
  'endOfDay',
  'register',
  'status',
  'diagnosis',
  'logOff',
] as const;
const demoResults = ['paid', 'notPaid', 'refunded', 'notRefunded', 'dayClosed', 'done'] as const;
const demoAnswers = [
  'statusReady',
  'statusWait',
  'statusOutOfOrder',
  'serviceAnswers',
  'serviceAway',
  'needsPerson',
] as const;
const demoRefusals = [
  'refused',
  'notPossible',
  'lost',
  'tooLateToAbort',
  'nothingToRefund',
] as const;
const demoDisplayKinds = [
  'ready',
  'running',
  'progress',
  ...demoResults,
  ...demoAnswers,
  ...demoRefusals,
] as const;
/**
 * What the demo's till shows, which the screen says in its language. `statusWait`: not ready, e.g.
 * the service is away. `serviceAnswers`: as far as the terminal knows. `lost`: the connection ended
 * before the command did.
 */
const DemoDisplay = z.object({
  kind: z.enum(demoDisplayKinds),
  command: z.enum(demoCommands).nullable(),
  /** The amount that it is about; null when it is about none, or none is known. */
  amount: Amount.nullable(),
  /** The terminal's own words, or its code in hex. */
  text: z.string().nullable(),
});
export type DemoDisplay = z.infer<typeof DemoDisplay>;

export const DemoView = z.object({
  /** Which of the simulated services takes the payments. */
  service: z.enum(serviceNames),
  /** The state of the demo's till. */
  till: z.object({
    connected: z.boolean(),
    busy: z.boolean(),
    display: DemoDisplay,
    /** Receipt lines printed for the last payment. */
    receipt: z.array(z.string()),
    log: z.array(TillLogLine).max(200),
  }),
  phone: z.object({
    /**
     * away: not checked in. checkedIn: checked in, without a payment. asked: a payment waits for
     * approval.
     */
    state: z.enum(['away', 'checkedIn', 'asked', 'approved', 'refused']),
    amount: Amount.nullable(),
    /** Why the service refused the owner's last action; null when it did not. */
    refusal: z.enum(['nothingToScan', 'nothingAsked']).nullable(),
  }),
  /** Whether the wallet service answers no request. */
  frozen: z.boolean(),
  /** The demonstration's manager, to sign in as; null when somebody has removed it. */
  manager: z.object({ name: z.string(), pin: z.string() }).nullable(),
});
export type DemoView = z.infer<typeof DemoView>;

export const ScreenName = z.enum(['cashier', 'customer', 'demo', 'manager', 'setup']);
export type ScreenName = z.infer<typeof ScreenName>;

/**
 * The view of a screen, which is sent as a whole at each change. `lane` is null when the daemon has
 * no lane of that id.
 */
export const View = z.object({
  /** All lanes of this daemon, for a screen that must choose. */
  lanes: z.array(z.object({ laneId: z.string(), name: z.string() })),
  lane: LaneView.nullable(),
  /** Only for the demo screen of a demo. */
  demo: DemoView.nullable(),
  /** Unsettled money of the other lanes; only for the manager's screen. */
  elsewhere: z.array(Unsettled.extend({ laneName: z.string() })).optional(),
  /**
   * Reservations of all lanes; only for the manager's screen. `isUsed`: there are reservations, or
   * lanes that take them. `ending`: as `reservationsEnding`.
   */
  reservations: z
    .object({ isUsed: z.boolean(), ending: LaneView.shape.reservationsEnding })
    .optional(),
  /**
   * Set when this counter was restored from the backup of another computer, or its data folder was
   * copied from there (`isCopy`). No lane opens until a manager has confirmed that the other one
   * takes no more payments. Not on the customer's screen.
   */
  restored: z
    .object({
      madeAtMs: z.number(),
      from: z.string(),
      unsettled: z.int().nonnegative(),
      isCopy: z.literal(true).optional(),
    })
    .optional(),
  /** Set while this counter is not set up. Missing while it is, also where no lane can open. */
  notSetUp: z.literal(true).optional(),
  /**
   * The shop's language, only for a screen without a lane. Other screens have
   * `lane.customer.language`.
   */
  language: Language.nullable().optional(),
});
export type View = z.infer<typeof View>;

/**
 * What a page shows. A new `watch` replaces the previous one. `laneId` null: the first lane.
 * `hidden`: the page is invisible (another tab, a dark display), so nothing is looked up for it.
 */
export const Watch = z.object({
  screen: ScreenName,
  laneId: z.string().max(36).nullable(),
  hidden: z.boolean().optional(),
});
export type Watch = z.infer<typeof Watch>;

/**
 * From the page to the daemon, in birpc's message format: an event, or the call `i` of the
 * procedure `m`, whose input is checked by its declaration.
 */
export const WatchMessage = z.strictObject({
  t: z.literal('q'),
  m: z.literal('watch'),
  a: z.tuple([Watch]),
});
export const CallMessage = z.strictObject({
  t: z.literal('q'),
  i: z.string().max(40),
  m: z.string().max(40),
  a: z.tuple([z.unknown()]),
});
export type FromPage = z.input<typeof WatchMessage> | z.input<typeof CallMessage>;

/**
 * The daemon's version, the first message on a connection. Its form never changes: pages of other
 * versions have to read it.
 */
const HelloMessage = z.object({
  t: z.literal('q'),
  m: z.literal('hello'),
  a: z.tuple([z.object({ version: z.string().max(40) })]),
});

/** From the daemon to the page: its version, a view, or the answer to the call `i`. */
export const ToPage = z.union([
  HelloMessage,
  z.object({ t: z.literal('q'), m: z.literal('view'), a: z.tuple([View]) }),
  z.object({ t: z.literal('s'), i: z.string(), r: Answer }),
]);
export type ToPage = z.infer<typeof ToPage>;

/**
 * The only part of Electron that a page can use, as `window.tillbeacon`. It carries the messages
 * that go over a WebSocket in a browser.
 */
export interface MessageChannel {
  send(message: FromPage): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Calls back with the state of the connection to the daemon, at once and at each change. */
  onConnection(listener: (connected: boolean) => void): void;
  /** Calls back when this computer's screens get another language; null for the shop's. */
  onLanguage(listener: (language: unknown) => void): void;
  /** Calls back with the presses that open the screen keyboard, at once and at each change. */
  onKeyboard(listener: (presses: unknown) => void): void;
}

/**
 * `touch`: finger presses, where no hardware keyboard was used recently. `any`: also mouse presses,
 * because some touch displays report themselves as a mouse. `none`: the screen keyboard is off.
 */
export type KeyboardPresses = 'touch' | 'any' | 'none';

/**
 * The page's side of the contract, made by `renderer/bridge.ts` over Electron's channel or a
 * WebSocket.
 */
export interface Bridge {
  watch(watch: Watch): void;
  /** Calls back with each view, the current one first. @returns ends it */
  onView(listener: (view: View) => void): () => void;
  /**
   * Calls back with the state of the connection. A sale that a screen still shows without a
   * connection may have ended. @returns ends it
   */
  onConnection(listener: (connected: boolean) => void): () => void;
  /**
   * Calls back with the daemon's version on each connection; `isReadable` is false when this page
   * cannot read one of its messages.
   */
  onVersion(listener: (version: string, isReadable: boolean) => void): void;
  /** Calls back when a manager changes the language of this computer; null for the shop's. */
  onLanguage(listener: (language: z.infer<typeof Language> | null) => void): void;
  /**
   * Calls a procedure. Never rejects. A sign-in through it is valid for this page until it closes.
   */
  ask<Name extends ProcedureName>(name: Name, input: InputOf<Name>): Promise<AnswerTo<Name>>;
}
