/**
 * Refunds in one step, which is final (document 5, sections 2.6 and 8.7). Only the event log tells
 * which of them happened, by their keys.
 */
import type { Clock } from '../../../core/domain/clock.ts';
import { minorUnits } from '../../../core/domain/money.ts';
import type { RefundRefusal, RefundStopReason } from '../../../core/settlement/refund.ts';
import { retryDelayMs } from '../../../core/settlement/retry.ts';
import { messageOf } from '../../../core/domain/errors.ts';
import {
  CredentialsRefusedError,
  InvalidRequestError,
  ServiceRefusedError,
  ServiceUnreachableError,
} from '../../http/errors.ts';
import { PollPace, defaultPollDelayMs } from '../../http/poll-pace.ts';
import type { Transport } from '../../http/transport.ts';
import type {
  CreateRefundAnswer,
  CreateRefundRequest,
  IdentifyRefundRequest,
  LookUpRefundAnswer,
  PointOfSaleClient,
  RefundWatch,
} from '../../../core/lane/wallet-port.ts';
import {
  getEpayment,
  listEpaymentEvents,
  refundEpayment,
} from '../payments/payments-operations.ts';
import { isDefinite, isNotOnboarded, saysThereIsNone, throughGate } from './epayment-answers.ts';
import type { ChangeGate } from './change-gate.ts';
import { keyTrustedMs, partsOfRefundId, refundIdOf } from './epayment-names.ts';

type RefundClient = Pick<
  PointOfSaleClient,
  | 'createRefund'
  | 'lookUpRefund'
  | 'identifyRefund'
  | 'watchRefund'
  | 'captureRefund'
  | 'cancelRefund'
>;
type Reason = RefundRefusal;

const reasonByCode: Readonly<Record<string, Reason>> = {
  '6020': 'notCaptured',
  '6150': 'amountTooHigh',
  '6180': 'amountTooHigh',
  '6220': 'tooOld',
};
/** As long as a till waits for the refund; after that, the event is looked for ever more seldom. */
const maxQuickLooks = 30;
/**
 * The log shows a refund as soon as the request is answered. One that it has not shown for so long,
 * while it was asked, is not merely late: a person has to look in the portal. No setting: it is
 * about how the service keeps its log, which no shop knows better, and it decides when a person is
 * asked, not what happens to money.
 */
const missingAfterMs = 10 * 60_000;
/** How long a request can be on its way, also when the process that sent it has ended. */
const maxLateMs = 120_000;
const tooSoon = 'a request of before the start may still arrive';
const oneStep = 'the ePayment service refunds in one step';

/** @throws `error` where it is not */
function refusedForGood(error: unknown): true {
  if (isDefinite(error) && error.status !== 403 && error.status !== 409) return true;
  throw error;
}

/** Whether the service refuses to answer, so that asking again is of no use. */
const isRefusal = (error: unknown): boolean =>
  error instanceof CredentialsRefusedError || isDefinite(error);

/** Why the service refused; null when it did not, or not because of the refund. */
function refusalOf(error: unknown): Reason | null {
  if (error instanceof InvalidRequestError) return 'refusedByService';
  if (!isDefinite(error)) return null;
  return (
    reasonByCode[error.code ?? ''] ?? (isNotOnboarded(error) ? 'notOnboarded' : 'refusedByService')
  );
}

/**
 * Why no refund was requested. The payment could not be read before, so certainly no money goes
 * back.
 */
const whyUnasked = (error: unknown): Reason =>
  error instanceof CredentialsRefusedError
    ? 'credentialsRefused'
    : (refusalOf(error) ?? 'serviceUnreachable');

/** No refunds for a payment that the service does not know. @throws `error` otherwise */
function noneAtAll(error: unknown): [] {
  if (saysThereIsNone(error)) return [];
  throw error;
}

export interface RefundClientOptions {
  readonly transport: Transport;
  readonly gate: ChangeGate;
  readonly clock: Clock;
}

export function createRefundClient({ transport, gate, clock }: RefundClientOptions): RefundClient {
  const openedAtMs = clock.monotonicMs();
  /** When this process first sent a request, by the request's key. */
  const sentAtMs = new Map<string, number>();

  /** Sends it once. @throws as `throughGate` */
  function post({ paymentId, amountMinor, currency, idempotencyKey }: CreateRefundRequest) {
    const body = { modificationAmount: { currency, value: minorUnits(amountMinor) } };
    sentAtMs.set(idempotencyKey, sentAtMs.get(idempotencyKey) ?? clock.elapsedMs());
    return throughGate(gate, paymentId, () =>
      transport.call(
        refundEpayment,
        { reference: paymentId, body },
        { idempotencyKey, maxAttempts: 1 },
      ),
    );
  }

  /**
   * Why the request would be refused, in clearer words than the service's codes; null when it may
   * be sent. @throws as `Transport.call`
   */
  async function objection({
    paymentId,
    amountMinor,
    currency,
  }: CreateRefundRequest): Promise<Reason | null> {
    const { aggregate } = await transport.call(getEpayment, { reference: paymentId });
    const { capturedAmount, refundedAmount } = aggregate;
    if (capturedAmount.value === 0) return 'notCaptured';
    if (capturedAmount.currency !== currency) return 'currencyDiffers';
    return amountMinor > capturedAmount.value - refundedAmount.value ? 'amountTooHigh' : null;
  }

  async function createRefund(
    request: CreateRefundRequest,
    stopped: () => RefundStopReason | null = () => null,
  ): Promise<CreateRefundAnswer> {
    try {
      const reason = await objection(request);
      if (reason !== null)
        return { kind: 'refused', reason, detail: 'the payment does not allow it' };
    } catch (error) {
      return { kind: 'refused', reason: whyUnasked(error), detail: messageOf(error) };
    }
    const stop = stopped();
    if (stop !== null)
      return { kind: 'refused', reason: stop, detail: 'stopped before it was asked for' };
    try {
      await post(request);
      return { kind: 'created', refundId: refundIdOf(request.paymentId, request.idempotencyKey) };
    } catch (error) {
      const detail = messageOf(error);
      const reason = refusalOf(error);
      // 409: the key was used.
      const isThere = error instanceof ServiceRefusedError && error.status === 409;
      return reason === null || isThere
        ? { kind: 'unknown', detail }
        : { kind: 'refused', reason, detail };
    }
  }

  /** @throws as `Transport.call` */
  async function isInLog(
    reference: string,
    idempotencyKey: string,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const events = await transport
      .call(
        listEpaymentEvents,
        { reference },
        { maxAttempts: 1, ...(signal !== undefined && { signal }) },
      )
      .catch(noneAtAll);
    return events.some(
      (event) =>
        event.name === 'REFUNDED' && event.success && event.idempotencyKey === idempotencyKey,
    );
  }

  /**
   * The elapsed time counts where this process sent the request itself, because the wall clock may
   * have been set meanwhile.
   */
  const isKeyTrusted = ({ idempotencyKey, startedAtMs }: IdentifyRefundRequest): boolean => {
    const sentMs = sentAtMs.get(idempotencyKey);
    return (
      (sentMs === undefined ? Math.abs(clock.wallMs() - startedAtMs) : clock.elapsedMs() - sentMs) <
      keyTrustedMs
    );
  };
  /** Whether a request of an earlier process may still arrive. */
  const mayArriveLate = (): boolean => clock.monotonicMs() - openedAtMs < maxLateMs;

  async function identifyRefund(request: IdentifyRefundRequest): Promise<LookUpRefundAnswer> {
    const { paymentId, idempotencyKey } = request;
    const found = { kind: 'found', refundId: refundIdOf(paymentId, idempotencyKey) } as const;
    try {
      if (await isInLog(paymentId, idempotencyKey)) return found;
      if (!isKeyTrusted(request))
        return mayArriveLate() ? { kind: 'unknown', detail: tooSoon } : { kind: 'none' };
      // A refusal sticks to its key, so the first attempt was refused as well. The log is read once
      // more, because 409 means that the key was used for something else.
      const isRefused = await post(request).then(() => false, refusedForGood);
      return !isRefused || (await isInLog(paymentId, idempotencyKey)) ? found : { kind: 'none' };
    } catch (error) {
      return { kind: 'unknown', detail: messageOf(error) };
    }
  }

  function watchRefund(refundId: string, namedBefore: number | null = null): RefundWatch {
    const { reference, idempotencyKey } = partsOfRefundId(refundId);
    const pace = new PollPace(clock, { namedBefore });
    let misses = 0;
    let firstMissMs: number | null = null;
    /**
     * Notes that the service has answered without the refund. @returns whether the refund should
     * have been there by now
     */
    const isMissing = (): boolean => {
      misses += 1;
      firstMissMs ??= clock.monotonicMs();
      return clock.monotonicMs() - firstMissMs >= missingAfterMs;
    };
    return {
      async poll(signal) {
        await pace.turn(signal);
        try {
          if (await isInLog(reference, idempotencyKey, signal))
            return { kind: 'seen', status: 'captured' };
          const status = isMissing() ? 'missing' : 'initiated';
          pace.answered(retryDelayMs(misses - maxQuickLooks, { firstRetryMs: defaultPollDelayMs }));
          return { kind: 'seen', status };
        } catch (error) {
          signal.throwIfAborted();
          pace.failed(
            error instanceof ServiceUnreachableError ? error.retryAfterMs : defaultPollDelayMs,
          );
          if (isRefusal(error) && isMissing()) return { kind: 'seen', status: 'missing' };
          return { kind: 'unknown', detail: messageOf(error) };
        }
      },
    };
  }

  return {
    createRefund,
    // A refund is found only by its key, which `identifyRefund` does.
    lookUpRefund: async () => ({ kind: 'none' }),
    identifyRefund,
    watchRefund,
    captureRefund: async () => ({ kind: 'done' }),
    cancelRefund: async () => ({ kind: 'refused', reason: 'other', code: null, detail: oneStep }),
  };
}
