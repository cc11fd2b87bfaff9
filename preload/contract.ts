/**
 * The contract between the daemon and its pages: what a page sees (views), and the messages that carry views and calls of procedures
 * (`procedures.ts`) over Electron's IPC or a WebSocket at `socketPath`. Nothing else crosses. Both sides check every message.
 */
import { z } from 'zod';
import { beaconTypes } from '../main/domain/beacons.ts';
import { languages } from '../main/domain/languages.ts';
import type { AnswerTo, InputOf, ProcedureName } from './procedures.ts';
import { notPaidReasons, notReadyReasons, notRefundedReasons } from '../main/domain/reasons.ts';
import { serviceNames } from '../main/domain/sale.ts';
import { customerRefusals } from '../main/domain/named-customer.ts';
import { tillLinks } from '../main/domain/till-links.ts';
import { Amount, Claimant, moneyKnown, ServiceKind, Unsettled } from './procedures/lane.ts';
import { Answer } from './procedures/procedure.ts';

export type { ServiceKind } from './procedures/lane.ts';
export { socketPath } from './procedures/plain.ts';

export const NotPaidReason = z.enum(notPaidReasons);
export const NotRefundedReason = z.enum(notRefundedReasons);
export const NotReadyReason = z.enum(notReadyReasons);
const Language = z.enum(languages);

/** What a customer scans: of one payment alone, or of a sticker. A picture is the operator's own, fetched by the daemon. */
const OwnCode = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string().min(1).max(500) }),
  z.object({ kind: z.literal('picture'), picture: z.string().startsWith('data:image/png;base64,').max(150_000) }),
]);
export type OwnCode = z.infer<typeof OwnCode>;

/** A sale on its way: enough for either person to know what to do. */
const OnItsWay = Amount.extend({
  saleId: z.uuid(),
  /** Until our own deadline, at the moment of sending; the screen counts down from its arrival. */
  remainingMs: z.int().nonnegative(),
  /** What the QR code says. */
  qr: z.string().min(1).nullable(),
  /**
   * Of this payment alone, or of the lane's sticker; then `qr` is null. Whether somebody has scanned it is not known; missing when it has none, or nobody can
   * scan it now.
   */
  ownCode: OwnCode.optional(),
  /** For how long the service has not answered, at the moment of sending; the screen counts up from its arrival. Missing while it answers. */
  unansweredMs: z.int().nonnegative().optional(),
  canCancel: z.boolean(),
  by: Claimant,
});

export const LaneState = z.discriminatedUnion('kind', [
  /** `sinceMs`: by the wall clock; only of a service that is known to be away. */
  z.object({ kind: z.literal('notReady'), reason: NotReadyReason, detail: z.string().nullable(), sinceMs: z.number().optional() }),
  z.object({ kind: z.literal('idle') }),
  OnItsWay.extend({ kind: z.literal('contactingService') }),
  OnItsWay.extend({ kind: z.literal('waitingForCustomer') }),
  /**
   * `toAgree`: of a payment by hand whose amount the cashier keeps or changes now. `loyaltyIds` null: not looked up yet, or not for this screen; missing when
   * the amount is on its way.
   */
  OnItsWay.extend({ kind: z.literal('customerFound'), toAgree: z.object({ loyaltyIds: z.array(z.string()).nullable() }).optional() }),
  OnItsWay.extend({ kind: z.literal('approveInApp') }),
  /** Reserved; the till is being told. Not yet paid: goods stay here. */
  OnItsWay.extend({ kind: z.literal('confirming') }),
  /** `mayLeaveInMs`: the cashier may leave it then, although nobody answers; counted down as `remainingMs`. */
  OnItsWay.extend({ kind: z.literal('cancelling'), mayLeaveInMs: z.int().nonnegative() }),
  Amount.extend({ kind: z.literal('paid'), saleId: z.uuid(), by: Claimant }),
  /** Held for days, and not paid: to be captured or cancelled later. */
  Amount.extend({ kind: z.literal('reserved'), saleId: z.uuid(), by: Claimant }),
  /** `known` other than `notMoved`: it is being cancelled at the service. */
  Amount.extend({ kind: z.literal('notPaid'), saleId: z.uuid(), by: Claimant, reason: NotPaidReason, known: z.enum(moneyKnown) }),
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

/** One of the last payments. */
const Recent = Amount.extend({
  saleId: z.uuid(),
  orderId: z.string(),
  receiptNumber: z.int(),
  startedAtMs: z.number(),
  by: Claimant,
  /** null when it is paid. held: it is reserved. */
  reason: z.enum([...notPaidReasons, 'held']).nullable(),
  /** How much of it is captured; missing when it is all or nothing. */
  capturedMinor: z.int().positive().optional(),
  /** decided: the service has not confirmed it yet. contested: it says otherwise, a person must act. */
  certainty: z.enum(['decided', 'confirmed', 'contested']),
  refundedMinor: z.int().nonnegative(),
});
export type Recent = z.infer<typeof Recent>;

/** What the customer's screen needs beside the state. Nothing of who the customer is. */
const ForCustomer = z.object({
  shopName: z.string().nullable(),
  /** Addresses that this screen can load. */
  logo: z.string().nullable(),
  picture: z.string().nullable(),
  /** The shop's language; null for that of the screen's own system. */
  language: Language.nullable(),
  /** The names of the apps that can pay, the usual one first; missing when the service has not said. */
  apps: z.array(z.string().max(40)).max(4).optional(),
  /** Customers may type their telephone number here now; missing when they may not; on another device they never may. */
  numberPad: z.literal(true).optional(),
  /** The code that a customer may scan before there is an amount; null when none is shown. */
  checkIn: z
    .object({
      /** null when `ownCode` is shown instead. */
      qr: z.string().min(1).nullable(),
      /** The code of the sticker. */
      ownCode: OwnCode.optional(),
      isCheckedIn: z.boolean(),
    })
    .nullable(),
});

/**
 * Where customers are named: by the code in their app, which a scanner reads before or after the amount, or by their telephone number. `isNamed`: for the
 * payment under way, or the next. `number`: masked; null: a code, or not for this screen. `isSent`: the request is on its way to their phone. `refused`:
 * why the service did not take the one before. `sticker`: there is one to scan, or the customer has scanned it. Left out: the lane has none.
 */
const Named = z.object({
  isNamed: z.boolean(),
  number: z.string().max(20).nullable(),
  isSent: z.boolean(),
  refused: z.enum(customerRefusals).nullable(),
  sticker: z.enum(['there', 'scanned']).optional(),
});
export type Named = z.infer<typeof Named>;

export const LaneView = z.object({
  laneId: z.string(),
  name: z.string(),
  currency: Amount.shape.currency,
  state: LaneState,
  /** How a customer's phone can find it. */
  beacons: z.array(z.enum(beaconTypes)),
  service: ServiceKind,
  customer: ForCustomer,
  till: z.object({ address: z.string(), link: z.enum(tillLinks), detail: z.string().nullable(), heardAtMs: z.number().nullable() }),
  /** Missing when customers find the lane themselves. */
  named: Named.optional(),
  /** The latest refund, while it is under way and shortly after. */
  refund: LaneRefund.nullable(),
  unsettled: z.array(Unsettled),
  /** Those that are decided, newest first. */
  recent: z.array(Recent).max(10),
  /** What the till asked for while another payment was under way, and was refused. */
  tried: Amount.optional(),
  /** Payments can be reserved here, to be captured later. */
  takesReservations: z.boolean(),
  /** Held, and neither captured nor cancelled yet. */
  openReservations: z.int().nonnegative(),
  /** Reservations that end within a day; `firstMs`: the first of them, by the wall clock. */
  reservationsEnding: z.object({ count: z.int().positive(), firstMs: z.number() }).nullable(),
  /** The journal was found damaged; `repaired` false: a restart repairs it. */
  journalDamage: z.object({ repaired: z.boolean(), lostSales: z.int().nonnegative() }).nullable(),
  /**
   * What somebody should mend at this computer before it hurts. `clockOffSeconds`: its clock is so far ahead of the service's; null: it is right, as far as is
   * known. Left out: nothing. Not for customers.
   */
  computer: z.object({ clockOffSeconds: z.int().nullable(), disk: z.enum(['low', 'full']).nullable() }).optional(),
});
export type LaneView = z.infer<typeof LaneView>;

const TillLogLine = z.object({
  seq: z.int(),
  atMs: z.number(),
  /** The direction as the demo till sees it. */
  direction: z.enum(['sent', 'received']),
  /** Upper-case hex, bytes separated by spaces. */
  hex: z.string(),
  /** The frame in words, e.g. `Authorisation 06 01: amount 12.34 DKK`. */
  meaning: z.string(),
});

export const DemoView = z.object({
  /** Which of the simulated services takes the payments. */
  service: z.enum(serviceNames),
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
  /** The wallet service answers nobody. */
  frozen: z.boolean(),
  /** The demonstration's manager, to sign in as; null when somebody has removed it. */
  manager: z.object({ name: z.string(), pin: z.string() }).nullable(),
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
  /** Only for the manager's screen, of all lanes. `isUsed`: there are reservations, or there may be. `ending`: as of a lane. */
  reservations: z.object({ isUsed: z.boolean(), ending: LaneView.shape.reservationsEnding }).optional(),
  /**
   * This counter was restored from the backup of another computer, and no lane opens until a manager has confirmed that the other takes no
   * payments any more. Not for customers.
   */
  restored: z.object({ madeAtMs: z.number(), from: z.string(), unsettled: z.int().nonnegative() }).optional(),
  /** Only for a screen without a lane: the shop's, as `lane.customer.language` is otherwise. */
  language: Language.nullable().optional(),
});
export type View = z.infer<typeof View>;

/**
 * What a page shows. It watches one thing at a time; a new `watch` replaces the old. `laneId` null: the first lane.
 * `hidden`: nobody can see the page now (another tab, a dark display), so nothing is looked up for it.
 */
export const Watch = z.object({ screen: ScreenName, laneId: z.string().max(36).nullable(), hidden: z.boolean().optional() });
export type Watch = z.infer<typeof Watch>;

/** Page → daemon, in birpc's message format: an event, or the call `i` of the procedure `m`, which checks its own input. */
export const WatchMessage = z.strictObject({ t: z.literal('q'), m: z.literal('watch'), a: z.tuple([Watch]) });
export const CallMessage = z.strictObject({ t: z.literal('q'), i: z.string().max(40), m: z.string().max(40), a: z.tuple([z.unknown()]) });
export type FromPage = z.input<typeof WatchMessage> | z.input<typeof CallMessage>;

/** The daemon's own version, before anything else on a connection. It stays as it is: pages of every other version have to read it. */
const HelloMessage = z.object({ t: z.literal('q'), m: z.literal('hello'), a: z.tuple([z.object({ version: z.string().max(40) })]) });

/** Daemon → page: its version, a view, or the answer to the call `i`. */
export const ToPage = z.union([
  HelloMessage,
  z.object({ t: z.literal('q'), m: z.literal('view'), a: z.tuple([View]) }),
  z.object({ t: z.literal('s'), i: z.string(), r: Answer }),
]);
export type ToPage = z.infer<typeof ToPage>;

/** All that a page finds of Electron, as `window.tillbeacon`: messages of this contract, as a WebSocket carries them in a browser. */
export interface MessageChannel {
  send(message: FromPage): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Whether anybody answers: now, and at each change. */
  onConnection(listener: (connected: boolean) => void): void;
  /** Which language this computer's screens are to have from now on; null: the shop's. */
  onLanguage(listener: (language: unknown) => void): void;
  /** By which presses on a text field the keyboard on the screen opens ({@link KeyboardPresses}): now, and at each change. */
  onKeyboard(listener: (presses: unknown) => void): void;
}

/** `touch`: a finger's, where no other keyboard was used lately. `any`: also a mouse's, as which some touch displays count. `none`: there is no such keyboard. */
export type KeyboardPresses = 'touch' | 'any' | 'none';

/** What a page can do; `renderer/bridge.ts` builds it over Electron's channel or a WebSocket. */
export interface Bridge {
  watch(watch: Watch): void;
  /** Calls back with each view, the current one first; returns the way to stop. */
  onView(listener: (view: View) => void): () => void;
  /** Whether the daemon is connected: a screen that shows a sale while it is not shows something that may be over. */
  onConnection(listener: (connected: boolean) => void): () => void;
  /** Calls back with the daemon's version on each connection; `isReadable` false when it has said something that this page cannot read. */
  onVersion(listener: (version: string, isReadable: boolean) => void): void;
  /** A manager has chosen another language for this computer's screens; null: the shop's. */
  onLanguage(listener: (language: z.infer<typeof Language> | null) => void): void;
  /** Never rejects. Who has signed in is kept for this page, until it closes. */
  ask<Name extends ProcedureName>(name: Name, input: InputOf<Name>): Promise<AnswerTo<Name>>;
}
