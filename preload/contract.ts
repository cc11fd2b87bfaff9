/**
 * The contract between the daemon and its screens: what a screen sees (views), may do at the counter (commands), and may ask (`questions.ts`).
 * Nothing else crosses, by whichever door: Electron's bridge or a WebSocket at {@link socketPath}. Both sides check every message.
 */
import { z } from 'zod';
import { languages } from '../main/domain/languages.ts';
import type { AnswerTo, Asking, QuestionName } from './procedures.ts';
import { Answer } from './procedures/procedure.ts';

export const socketPath = '/screens';

const Amount = z.object({ amountMinor: z.int().nonnegative(), currency: z.enum(['DKK', 'EUR']) });

export const NotPaidReason = z.enum([
  'declinedByCustomer',
  'cancelledByCustomer',
  'cancelledByTill',
  'cancelledByCashier',
  'leftByCashier',
  'cancelledByService',
  'expired',
  'timedOut',
  'tillGone',
  'notDelivered',
  'interrupted',
  'refusedByService',
  'notOnboarded',
  'serviceUnreachable',
  'amountMismatch',
  'unclear',
]);

export const NotRefundedReason = z.enum([
  'notCaptured',
  'currencyDiffers',
  'tooOld',
  'amountTooHigh',
  'balanceTooLow',
  'refusedByService',
  'notOnboarded',
  'serviceUnreachable',
  'cancelledByTill',
  'cancelledByManager',
  'cancelledByService',
  'timedOut',
  'tillGone',
  'notDelivered',
  'interrupted',
  'unclear',
]);

/** Why a lane takes no payments just now. `detail` on the lane carries the service's or the system's own words for support. */
export const NotReadyReason = z.enum([
  'starting',
  'settlingOpenPayments',
  'serviceUnreachable',
  'credentialsRefused',
  'pointOfSaleRefused',
  'storageFailed',
  'tillPortFailed',
]);

/** Who asked for a sale: the till, or the cashier by hand. */
export const Claimant = z.enum(['till', 'cashier']);

/** A sale on its way: enough for either person to know what to do. */
const OnItsWay = Amount.extend({
  saleId: z.uuid(),
  /** Until our own deadline, at the moment of sending; the screen counts down from its arrival. */
  remainingMs: z.int().nonnegative(),
  /** What the QR code says. */
  qr: z.string().min(1).nullable(),
  canCancel: z.boolean(),
  by: Claimant,
});

export const LaneState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('notReady'), reason: NotReadyReason, detail: z.string().nullable() }),
  z.object({ kind: z.literal('idle') }),
  OnItsWay.extend({ kind: z.literal('contactingService') }),
  OnItsWay.extend({ kind: z.literal('waitingForCustomer') }),
  OnItsWay.extend({ kind: z.literal('customerFound') }),
  OnItsWay.extend({ kind: z.literal('approveInApp') }),
  /** Reserved; the till is being told. Not yet paid: goods stay here. */
  OnItsWay.extend({ kind: z.literal('confirming') }),
  /** `mayLeaveInMs`: the cashier may leave it then, although nobody answers; counted down as `remainingMs`. */
  OnItsWay.extend({ kind: z.literal('cancelling'), mayLeaveInMs: z.int().nonnegative() }),
  Amount.extend({ kind: z.literal('paid'), saleId: z.uuid(), by: Claimant }),
  /** `isConfirmed` false: it is being cancelled at the service. */
  Amount.extend({ kind: z.literal('notPaid'), saleId: z.uuid(), by: Claimant, reason: NotPaidReason, isConfirmed: z.boolean() }),
]);
export type LaneState = z.infer<typeof LaneState>;
export type LaneStateKind = LaneState['kind'];

const OneRefund = Amount.extend({
  saleId: z.uuid(),
  refundOrderId: z.string().max(36),
});
/** Beside whatever the lane is doing: a manager's refund runs beside a sale. */
const LaneRefund = z.discriminatedUnion('kind', [
  /** Not decided: the customer gets nothing yet. */
  OneRefund.extend({ kind: z.literal('refunding') }),
  /** `isConfirmed`: by the service. */
  OneRefund.extend({ kind: z.literal('refunded'), isConfirmed: z.boolean() }),
  OneRefund.extend({ kind: z.literal('notRefunded'), reason: NotRefundedReason, isConfirmed: z.boolean() }),
]);

/** Money whose end is decided but not yet confirmed by the service. Stays on the cashier's screen until it is. */
const Unsettled = Amount.extend({
  kind: z.enum(['sale', 'refund']),
  saleId: z.uuid(),
  intent: z.enum(['capture', 'cancel']),
  /** Of a refund: its own. */
  orderId: z.string(),
  /** true: the service has refused for good and a person must act (see `orderId` in the provider's portal). */
  needsPerson: z.boolean(),
  /** When it was decided, by the daemon's wall clock. */
  sinceMs: z.number(),
});

/** One of the last payments. */
const Recent = Amount.extend({
  saleId: z.uuid(),
  orderId: z.string(),
  receiptNumber: z.int(),
  startedAtMs: z.number(),
  by: Claimant,
  /** null: it is paid. */
  reason: NotPaidReason.nullable(),
  /** decided: the service has not confirmed it yet. contested: it says otherwise, a person must act. */
  certainty: z.enum(['decided', 'confirmed', 'contested']),
  refundedMinor: z.int().nonnegative(),
});
export type Recent = z.infer<typeof Recent>;

/** How long an order's text may be that a cashier types; its characters are the service's (document 4, section 1.12). */
export const longestOrderText = 20;

const ShopLanguage = z.enum(languages);

/** What the customer's screen needs beside the state. Nothing of who the customer is. */
const ForCustomer = z.object({
  shopName: z.string().nullable(),
  /** Addresses that this screen can load. */
  logo: z.string().nullable(),
  picture: z.string().nullable(),
  /** The shop's; null: whatever the screen's own system speaks. */
  language: ShopLanguage.nullable(),
  /** The code that invites a customer before there is an amount; null: none stands there. */
  checkIn: z.object({ qr: z.string().min(1), isCheckedIn: z.boolean() }).nullable(),
});

/** simulated: no money moves. test: the settings say that it is one for tests. testUnchecked: and its certificates are not checked. */
const ServiceKind = z.enum(['real', 'simulated', 'test', 'testUnchecked']);
export type ServiceKind = z.infer<typeof ServiceKind>;

export const LaneView = z.object({
  laneId: z.string(),
  name: z.string(),
  currency: z.enum(['DKK', 'EUR']),
  state: LaneState,
  service: ServiceKind,
  customer: ForCustomer,
  till: z.object({ address: z.string(), link: z.enum(['absent', 'open', 'connected']), detail: z.string().nullable() }),
  /** The latest refund, while it is under way and shortly after. */
  refund: LaneRefund.nullable(),
  unsettled: z.array(Unsettled),
  /** Those that are decided, newest first. */
  recent: z.array(Recent).max(10),
  /** The journal was found damaged; `repaired` false: a restart repairs it. */
  journalDamage: z.object({ repaired: z.boolean(), lostSales: z.int().nonnegative() }).nullable(),
});
export type LaneView = z.infer<typeof LaneView>;

const TillLogLine = z.object({
  seq: z.int(),
  atMs: z.number(),
  /** From the demo till's side. */
  direction: z.enum(['sent', 'received']),
  /** Upper-case hex, bytes separated by spaces. */
  hex: z.string(),
  /** The frame in words, e.g. `Authorisation 06 01: amount 12.34 DKK`. */
  meaning: z.string(),
});

export const DemoView = z.object({
  /** What the demo's till is doing. */
  till: z.object({
    connected: z.boolean(),
    busy: z.boolean(),
    /** The intermediate status or the result that the till last showed. */
    display: z.string(),
    /** Receipt lines printed for the last payment. */
    receipt: z.array(z.string()),
    log: z.array(TillLogLine).max(200),
  }),
  phone: z.object({
    /** away: not near this counter; checkedIn: scanned, nothing to approve yet; asked: an amount waits for approval. */
    state: z.enum(['away', 'checkedIn', 'asked', 'approved', 'refused']),
    amount: Amount.nullable(),
    /** The provider's answer to the last thing the owner did, when it was refused. */
    message: z.string().nullable(),
  }),
});
export type DemoView = z.infer<typeof DemoView>;

export const ScreenName = z.enum(['cashier', 'customer', 'demo', 'manager', 'setup']);
export type ScreenName = z.infer<typeof ScreenName>;

/** What a screen gets, whole, at each change. `lane` is null when the daemon has no lane of that id. */
export const View = z.object({
  /** All lanes of this daemon, for a screen that must choose. */
  lanes: z.array(z.object({ laneId: z.string(), name: z.string() })),
  lane: LaneView.nullable(),
  /** Only for the demo screen of a demo. */
  demo: DemoView.nullable(),
  /** Only for the manager's screen: money of the other lanes. */
  elsewhere: z.array(Unsettled.extend({ laneName: z.string() })).optional(),
  /** Only for a screen without a lane: the shop's, as `lane.customer.language` is otherwise. */
  language: ShopLanguage.nullable().optional(),
});
export type View = z.infer<typeof View>;

/** What a cashier does. */
const CashierCommand = z.discriminatedUnion('type', [
  z.object({ type: z.literal('cancelSale'), laneId: z.string().max(36), saleId: z.uuid() }),
  /** Out of a cancel that stays unanswered. */
  z.object({ type: z.literal('leaveSale'), laneId: z.string().max(36), saleId: z.uuid() }),
  /** When the till cannot. However often it arrives with this `actionId`, it is one payment; the id becomes its `saleId`. */
  z.object({
    type: z.literal('payByHand'),
    laneId: z.string().max(36),
    actionId: z.uuid(),
    amountMinor: z.int().nonnegative(),
    orderText: z.string().max(longestOrderText).nullable(),
  }),
]);
export type CashierCommand = z.infer<typeof CashierCommand>;

const DemoCommand = z.discriminatedUnion('type', [
  z.object({ type: z.literal('demoTill'), laneId: z.string().max(36), key: z.enum(['register', 'abort', 'status', 'repeatReceipt', 'diagnosis', 'logOff']) }),
  z.object({ type: z.literal('demoTillPay'), laneId: z.string().max(36), amountMinor: z.int().min(0).max(999_999_999_999) }),
  z.object({ type: z.literal('demoPhone'), laneId: z.string().max(36), action: z.enum(['scan', 'approve', 'refuse', 'walkAway']) }),
]);
export type DemoCommand = z.infer<typeof DemoCommand>;

export const Command = z.discriminatedUnion('type', [...CashierCommand.options, ...DemoCommand.options]);
export type Command = z.infer<typeof Command>;

/**
 * `tooLate`: the sale is past cancelling. `tooEarly`: a cancel may still be answered. `actionUsed`: this action was for another payment.
 * `invalid`: not a message of this contract.
 */
const CommandRefusal = z.enum([
  'unknownLane',
  'unknownSale',
  'tooLate',
  'tooEarly',
  'busy',
  'notReady',
  'amountTooSmall',
  'amountTooHigh',
  'orderText',
  'actionUsed',
  'storageFailed',
  'notInDemo',
  'invalid',
  'failed',
]);

export const CommandResult = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), code: CommandRefusal, message: z.string() }),
]);
export type CommandResult = z.infer<typeof CommandResult>;

/**
 * Screen → daemon. A screen watches one thing at a time; a new `watch` replaces the old. `laneId` null: the first lane.
 * `hidden`: nobody can see it just now (another tab, a dark display): nothing is looked up for it.
 */
export const Watch = z.object({ screen: ScreenName, laneId: z.string().max(36).nullable(), hidden: z.boolean().optional() });
export type Watch = z.infer<typeof Watch>;

export const FromScreen = z.discriminatedUnion('type', [
  z.object({ type: z.literal('watch'), watch: Watch }),
  z.object({ type: z.literal('command'), id: z.int(), command: Command }),
  /** `asked` is checked by the question's own declaration. */
  z.object({ type: z.literal('question'), id: z.int(), name: z.string().max(40), asked: z.unknown() }),
]);
export type FromScreen = z.infer<typeof FromScreen>;

/** Daemon → screen. */
export const ToScreen = z.discriminatedUnion('type', [
  z.object({ type: z.literal('view'), view: View }),
  z.object({ type: z.literal('result'), id: z.int(), result: CommandResult }),
  z.object({ type: z.literal('answer'), id: z.int(), answer: Answer }),
]);
export type ToScreen = z.infer<typeof ToScreen>;

/** What a screen finds as `window.tillbeacon` inside Electron; in a browser `renderer/bridge.ts` builds the same over the WebSocket. */
export interface Bridge {
  watch(watch: Watch): void;
  /** Calls back with each view, the current one first; returns the way to stop. */
  onView(listener: (view: View) => void): () => void;
  /** The line to the daemon: a screen that shows a sale while this is false shows something that may be over. */
  onConnection(listener: (connected: boolean) => void): () => void;
  command(command: Command): Promise<CommandResult>;
  /** Who has signed in is kept for this screen, until it closes. */
  ask<Name extends QuestionName>(name: Name, asked: Asking<Name>): Promise<AnswerTo<Name>>;
}
