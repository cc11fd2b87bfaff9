/**
 * A counter of a sales unit as a lane asks for it, on the ePayment service (document 5, section 8).
 */
import type { Clock } from '../../../core/domain/clock.ts';
import type { Log } from '../../../core/domain/log.ts';
import { type Currency, currencies, minorUnits, type Money } from '../../../core/domain/money.ts';
import { messageOf } from '../../../core/domain/errors.ts';
import {
  CredentialsRefusedError,
  InvalidRequestError,
  ServiceRefusedError,
  ServiceUnreachableError,
} from '../../http/errors.ts';
import type { HttpSend } from '../../http/http.ts';
import { PollPace, defaultPollDelayMs } from '../../http/poll-pace.ts';
import type { Transport } from '../../http/transport.ts';
import type {
  CancelAsked,
  CreateAnswer,
  CreateRequest,
  IdentifyRequest,
  LookUpAnswer,
  OpenAnswer,
  PaymentWatch,
  PointOfSaleClient,
  PollAnswer,
  SettleAnswer,
} from '../../../core/lane/wallet-port.ts';
import { timeMsOf } from '../../answer-values.ts';
import {
  type Aggregate,
  cancelEpayment,
  captureEpayment,
  createEpayment,
  type Epayment,
  getEpayment,
} from '../payments/payments-operations.ts';
import {
  isDefinite,
  isNotOnboarded,
  saysThereIsNone,
  settled,
  throughGate,
} from './epayment-answers.ts';
import { epaymentCapabilities } from './epayment-capabilities.ts';
import { ChangeGate } from './change-gate.ts';
import { codeOf, fetchPicture, qrFormat } from './payment-code.ts';
import {
  commonBody,
  type EpaymentClientSettings,
  metadataKey,
  orderMetadata,
} from './create-body.ts';
import { changeKey, keyTrustedMs, referenceOf } from './epayment-names.ts';
import { Parts } from './partial-captures.ts';
import { readEpaymentPresence } from './epayment-presence.ts';
import { PushedPayments } from './pushed-payments.ts';
import { RecentPayments } from './recent-payments.ts';
import { createRefundClient } from './epayment-refunds.ts';
import { epaymentStatus, isOver } from './epayment-status.ts';
import { stickerOf } from './sticker.ts';

export type { EpaymentClientSettings as EpaymentCounterSettings } from './create-body.ts';

export interface EpaymentClientOptions {
  readonly transport: Transport;
  /**
   * Transport of the read that asks only whether the service is there; its usual refusal is not
   * logged. `transport` when it is missing.
   */
  readonly presence?: Transport;
  readonly baseUrl: string;
  readonly settings: EpaymentClientSettings;
  /** Fetches pictures of codes, which are public. */
  readonly send: HttpSend;
  readonly clock: Clock;
  readonly log: Log;
}

/** A create request without an answer is repeated at once, because only its answer has the code. */
const maxCreateAttempts = 2;
/** The reference exists, or the key was used, perhaps by our own earlier request. */
const existsAlready: ReadonlySet<string> = new Set(['4020', '4150']);

export function createEpaymentClient({
  transport,
  presence = transport,
  baseUrl,
  settings,
  send,
  clock,
  log,
}: EpaymentClientOptions): PointOfSaleClient {
  const gate = new ChangeGate(clock);
  const recent = new RecentPayments(clock);
  const parts = new Parts(transport, settings.msn);
  /** Create requests without an answer, by reference. */
  const lost = new Map<string, CreateRequest>();
  const startedMs = clock.monotonicMs();
  const isYoung = (): boolean => clock.monotonicMs() - startedMs < youngForMs;
  const { codeForm } = settings;
  const pushed = new PushedPayments({
    recent,
    send: (reference, body, idempotencyKey) =>
      throughGate(gate, reference, () =>
        transport.call(createEpayment, { body }, { idempotencyKey, maxAttempts: 1 }),
      ),
    settings,
  });

  async function open(): Promise<OpenAnswer> {
    try {
      await readEpaymentPresence(presence);
      return { kind: 'open', posId: settings.msn, qr: null };
    } catch (error) {
      const detail = messageOf(error);
      const isRefused =
        error instanceof CredentialsRefusedError ||
        (error instanceof ServiceRefusedError && error.status === 403);
      return { kind: isRefused ? 'credentialsRefused' : 'unreachable', detail };
    }
  }

  const paymentWithCode = (reference: string, redirectUrl: string | null | undefined) => {
    const code = codeOf(codeForm, redirectUrl, baseUrl);
    if (code === null)
      log.error({ reference, redirectUrl }, 'the service names no code that could be shown');
    return { paymentId: reference, ...(code !== null && { code }) };
  };

  /** Sends it once. @throws as `throughGate` */
  async function post(request: CreateRequest) {
    const reference = referenceOf(request.orderId);
    const call = () =>
      transport.call(
        createEpayment,
        { body: bodyOf(request, reference, settings) },
        { idempotencyKey: request.idempotencyKey, maxAttempts: 1 },
      );
    const { redirectUrl } = await throughGate(gate, reference, call);
    recent.created(reference);
    lost.delete(reference);
    return paymentWithCode(reference, redirectUrl);
  }

  async function create(request: CreateRequest): Promise<CreateAnswer> {
    const reference = referenceOf(request.orderId);
    if (request.plannedCaptureDelay !== undefined) parts.expect(reference);
    if (request.flow === 'prepare')
      return { kind: 'created', paymentId: pushed.prepare(reference, request) };
    let detail = '';
    for (let attempt = 1; attempt <= maxCreateAttempts; attempt += 1) {
      try {
        return { kind: 'created', ...(await post(request)) };
      } catch (error) {
        detail = messageOf(error);
        // A refusal of a repetition says nothing about the attempt before it.
        if (attempt === 1 && error instanceof InvalidRequestError)
          return { kind: 'refused', reason: 'refusedByService', detail };
        if (attempt === 1 && error instanceof CredentialsRefusedError)
          return { kind: 'refused', reason: 'credentialsRefused', detail };
        // If the service executed it, no customer has the code to approve it.
        if (attempt === 1 && isLimited(error))
          return { kind: 'refused', reason: 'serviceBusy', detail };
        if (attempt === 1 && isDefinite(error) && error.status !== 404) {
          if (!existsAlready.has(error.code ?? ''))
            return {
              kind: 'refused',
              reason: isNotOnboarded(error) ? 'notOnboarded' : 'refusedByService',
              detail,
            };
          break;
        }
      }
    }
    lost.set(reference, request);
    return { kind: 'unknown', detail };
  }

  /**
   * Repeats the create request with its key, whose answer has the code; a read may lack it. Nobody
   * can approve a payment whose code was never shown.
   */
  async function lookUp(orderId: string): Promise<LookUpAnswer> {
    const reference = referenceOf(orderId);
    const request = lost.get(reference);
    return request === undefined
      ? read(reference, null)
      : identify({ ...request, startedAtMs: clock.wallMs() });
  }

  /**
   * @param key key of our own request, so that one of another with the same reference is left
   * alone; null for any
   */
  async function read(reference: string, key: string | null): Promise<LookUpAnswer> {
    try {
      const payment = await transport.call(getEpayment, { reference });
      if (isOver(payment)) return { kind: 'none' };
      const creatorKey = payment.metadata?.[metadataKey] ?? key;
      if (key === null || creatorKey === key)
        return { kind: 'found', ...paymentWithCode(reference, payment.redirectUrl) };
      log.error({ reference }, 'another payment has the reference of ours');
      return { kind: 'none' };
    } catch (error) {
      return saysThereIsNone(error) && !recent.isNew(reference)
        ? { kind: 'none' }
        : { kind: 'unknown', detail: messageOf(error) };
    }
  }

  async function identify(request: IdentifyRequest): Promise<LookUpAnswer> {
    const reference = referenceOf(request.orderId);
    const isTrusted = Math.abs(clock.wallMs() - request.startedAtMs) < keyTrustedMs;
    if (!isTrusted || request.flow === 'prepare') return read(reference, request.idempotencyKey);
    try {
      return { kind: 'found', ...(await post(request)) };
    } catch (error) {
      if (!isDefinite(error)) return { kind: 'unknown', detail: messageOf(error) };
      // A refusal sticks to its key, so the first attempt was refused as well; or there is
      // something under this reference.
      lost.delete(reference);
      return read(reference, request.idempotencyKey);
    }
  }

  function watch(
    reference: string,
    namedBefore: number | null = null,
    orderId?: string,
  ): PaymentWatch {
    const pace = new PollPace(clock, {
      namedBefore: recent.isNew(reference) ? null : (namedBefore ?? defaultPollDelayMs),
    });
    let refusedSinceMs: number | null = null;
    /** The part of `PollAnswer` that says whether the keys were refused. */
    const refusedFor = (error: unknown): { credentialsRefused?: true } => {
      refusedSinceMs =
        error instanceof CredentialsRefusedError ? (refusedSinceMs ?? clock.monotonicMs()) : null;
      return refusedSinceMs !== null && clock.monotonicMs() - refusedSinceMs >= revokedAfterMs
        ? { credentialsRefused: true }
        : {};
    };
    return {
      async poll(signal) {
        await pace.turn(signal);
        if (pushed.isUnsent(reference)) {
          pace.answered(null);
          return { kind: 'seen', status: 'prepared', amountMinor: null, currency: null };
        }
        try {
          const payment = await transport.call(getEpayment, { reference }, { signal });
          refusedSinceMs = null;
          pace.answered(null);
          if (orderId !== undefined && (payment.metadata?.[orderMetadata] ?? orderId) !== orderId)
            return { kind: 'unknown', detail: 'the service names another order for this payment' };
          const answer = seen(payment, { recent, parts, wallMs: clock.wallMs() });
          return pushed.has(reference) ? pushed.seen(answer) : answer;
        } catch (error) {
          signal.throwIfAborted();
          pace.failed(
            error instanceof ServiceUnreachableError
              ? (error.retryAfterMs ?? (isLimited(error) ? limitedMs : null))
              : null,
          );
          const refused = refusedFor(error);
          // The request that was to create it never arrived: it is sent again.
          if (saysThereIsNone(error) && pushed.has(reference) && !recent.isNew(reference))
            return { kind: 'seen', status: 'paired', amountMinor: null, currency: null };
          return saysThereIsNone(error) && !recent.isNew(reference)
            ? { kind: 'notFound' }
            : { kind: 'unknown', detail: messageOf(error), ...refused };
        }
      },
    };
  }

  const capture = (
    reference: string,
    { amountMinor, currency }: Money,
    refusals = 0,
    reservedMinor = amountMinor,
  ): Promise<SettleAnswer> => {
    const body = { modificationAmount: { currency, value: minorUnits(amountMinor) } };
    const options = {
      idempotencyKey: changeKey(reference, `capture ${amountMinor}`, refusals),
      maxAttempts: 1,
    };
    const post = () =>
      throughGate(gate, reference, () =>
        transport.call(captureEpayment, { reference, body }, options),
      );
    const isNew = recent.isNew(reference);
    if (amountMinor === reservedMinor)
      return settled(
        post,
        ({ aggregate }) => settledAs(aggregate.capturedAmount.value, amountMinor),
        isNew,
      );

    /**
     * Captures a part and releases the rest. A part could be captured twice, and the service
     * forgets keys, so it first looks whether it was captured.
     */
    const partAndRelease = async (): Promise<Answered> => {
      const before = await transport.call(getEpayment, { reference });
      const after = before.aggregate.capturedAmount.value === 0 ? await post() : before;
      if (after.aggregate.capturedAmount.value !== amountMinor || isRestReleased(after.aggregate))
        return after;
      const idempotencyKey = changeKey(reference, 'cancel the rest', refusals);
      const rest = { reference, body: { cancelTransactionOnly: false } };
      return throughGate(gate, reference, () =>
        transport.call(cancelEpayment, rest, { idempotencyKey, maxAttempts: 1 }),
      );
    };
    const shown = ({ aggregate }: Answered) => {
      const captured = settledAs(aggregate.capturedAmount.value, amountMinor);
      return captured === 'done' && !isRestReleased(aggregate) ? 'notYet' : captured;
    };
    return settled(partAndRelease, shown, isNew);
  };

  const cancel = (
    reference: string,
    { ifNotApproved, refusals = 0 }: CancelAsked,
  ): Promise<SettleAnswer> => {
    if (pushed.isUnsent(reference)) {
      pushed.forget(reference);
      return Promise.resolve({ kind: 'done' });
    }
    const options = {
      idempotencyKey: changeKey(reference, ifNotApproved ? 'cancel if open' : 'cancel', refusals),
      maxAttempts: 1,
    };
    const body = { cancelTransactionOnly: ifNotApproved };
    const request = () =>
      throughGate(gate, reference, () =>
        transport.call(cancelEpayment, { reference, body }, options),
      );
    const shown = (answer: Answered) => {
      if (answer.aggregate.capturedAmount.value > 0) return 'otherwise';
      return isOver(answer) ? 'done' : 'notYet';
    };
    return settled(request, shown, recent.isNew(reference) || isYoung());
  };

  return {
    service: 'epayment',
    takesOrderDetails: true,
    capabilities: epaymentCapabilities,
    open,
    create,
    lookUp,
    identify,
    // Nothing blocks a counter here, and nothing can be listed: the journal knows what is open.
    clear: async () => ({ kind: 'done', cancelledPaymentIds: [] }),
    listOpen: async () => ({ kind: 'listed', payments: [] }),
    ready: (reference, terms) => pushed.ready(reference, terms),
    watch,
    watchCheckIn() {
      const pace = new PollPace(clock);
      return {
        async poll(signal) {
          await pace.turn(signal);
          pace.answered(null);
          return { kind: 'unknown', detail: 'a check-in cannot be asked for' };
        },
      };
    },
    ...(settings.sticker !== undefined && {
      sticker: stickerOf({ transport, baseUrl, codeForm }, settings.sticker),
    }),
    codePicture: (address) => fetchPicture(address, { baseUrl, send, clock }),
    capture,
    cancel,
    ...createRefundClient({ transport, gate, clock }),
  };
}

/** How long a request of an earlier process may still arrive after the start. */
const youngForMs = 10_000;

const isLimited = (error: unknown): boolean =>
  error instanceof ServiceUnreachableError && error.status === 429;
/** The pause after a 429 that names none. */
const limitedMs = 60_000;
/** A token is renewed at once, so when keys are refused for so long, they are revoked. */
const revokedAfterMs = 10_000;

const bodyOf = (request: CreateRequest, reference: string, settings: EpaymentClientSettings) =>
  ({
    ...commonBody(request, reference, settings),
    userFlow: 'QR',
    qrFormat: qrFormat[settings.codeForm],
  }) as const;

type Answered = Pick<Epayment, 'state' | 'aggregate'>;

/**
 * A payment is captured as a whole. Another amount was captured by somebody else, and repeating
 * changes nothing.
 */
const settledAs = (capturedMinor: number, askedMinor: number) =>
  capturedMinor === askedMinor ? 'done' : capturedMinor === 0 ? 'notYet' : 'otherwise';

const isRestReleased = ({
  authorizedAmount,
  capturedAmount,
  cancelledAmount,
}: Aggregate): boolean => capturedAmount.value + cancelledAmount.value === authorizedAmount.value;

function seen(
  payment: Epayment,
  {
    recent,
    parts,
    wallMs,
  }: { readonly recent: RecentPayments; readonly parts: Parts; readonly wallMs: number },
): PollAnswer {
  const { reference, aggregate, amount, captureGuaranteedUntil } = payment;
  const status = epaymentStatus(payment);
  return {
    kind: 'seen',
    // Only the state EXPIRED is `cancelledByService`.
    status: status === 'cancelledByService' && !recent.expired(reference) ? 'unknown' : status,
    amountMinor: (status === 'reserved' ? aggregate.authorizedAmount : amount).value,
    currency:
      currencies.find((currency): currency is Currency => currency === amount.currency) ?? null,
    ...(status === 'captured' && { capturedMinor: aggregate.capturedAmount.value }),
    ...(status === 'reserved' && {
      expiresAtMs: heldUntilMs(captureGuaranteedUntil, wallMs),
      partialCapturePossible: parts.arePossible(reference),
    }),
    // A refused card does not end the payment; the customer has refused it.
    ...(status === 'cancelledByUser' && { declined: true }),
  };
}

/**
 * The shortest time for which the service keeps a reservation; in Norway it is longer (document 5,
 * section 2.6).
 */
const minHoldMs = 14 * 24 * 60 * 60_000;

/**
 * A capture may fail after what the service guarantees, which depends on the card. One that is not
 * told is what the service keeps, from when it is first seen.
 */
function heldUntilMs(guaranteedUntil: string | null | undefined, wallMs: number): number {
  return timeMsOf(guaranteedUntil) ?? wallMs + minHoldMs;
}
