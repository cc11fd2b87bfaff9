import type { Clock } from '../../../core/domain/clock.ts';
import { minorUnits } from '../../../core/domain/money.ts';
import { messageOf } from '../../../core/domain/errors.ts';
import {
  InvalidRequestError,
  ServiceRefusedError,
  ServiceUnreachableError,
  UnexpectedAnswerError,
} from '../../http/errors.ts';
import { PollPace, unusualPollDelay, defaultPollDelayMs } from '../../http/poll-pace.ts';
import type {
  CreateRefundAnswer,
  CreateRefundRequest,
  IdentifyRefundRequest,
  LookUpRefundAnswer,
  RefundWatch,
  PointOfSaleClient,
} from '../../../core/lane/wallet-port.ts';
import type { Profile } from '../v10-profile.ts';
import type { Transport } from '../../http/transport.ts';
import { isNotOnboarded, settle } from './point-of-sale-answers.ts';
import { currencyCodeOf } from './currency.ts';
import * as operations from './point-of-sale-operations.ts';
import { keyWasUsed, maxCreateAttempts, Repetitions } from './repetitions.ts';
import { RecentNames } from './recent-names.ts';
import type { RefundRecord } from './point-of-sale-schemas.ts';
import { refundStatus } from './point-of-sale-status.ts';

type RefundClient = Pick<
  PointOfSaleClient,
  | 'createRefund'
  | 'lookUpRefund'
  | 'identifyRefund'
  | 'watchRefund'
  | 'captureRefund'
  | 'cancelRefund'
>;
type Reason = Extract<CreateRefundAnswer, { kind: 'refused' }>['reason'];

/** Document 4, section 1.10. */
const reasonByCode: Readonly<Record<string, Reason>> = {
  '1353': 'tooOld',
  '1354': 'notCaptured',
  '1365': 'currencyDiffers',
  '1366': 'tooOld',
  '1367': 'amountTooHigh',
  '1368': 'balanceTooLow',
};

const anotherRefund = 'it names another refund';
const isSameId = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

type RefundNames = Pick<CreateRefundRequest, 'paymentId' | 'refundOrderId'>;
const isOf = (
  refund: Pick<RefundRecord, keyof RefundNames>,
  { paymentId, refundOrderId }: RefundNames,
): boolean => isSameId(refund.paymentId, paymentId) && refund.refundOrderId === refundOrderId;

/** The client for refunds of one point of sale. */
export function createRefundClient({
  transport,
  profile,
  clock,
}: {
  transport: Transport;
  profile: Profile;
  clock: Clock;
}): RefundClient {
  const repetitions = new Repetitions(clock);
  let lastCreatedId: string | null = null;
  /**
   * Order ids of refunds, which never change: reading one again would be a poll before its time.
   */
  const orderIds = new RecentNames();

  /** @throws as `Transport.call` */
  async function post(
    { paymentId, refundOrderId, idempotencyKey, amountMinor, currency }: CreateRefundRequest,
    maxAttempts: number,
  ): Promise<string> {
    const body = {
      paymentId,
      refundOrderId,
      amount: minorUnits(amountMinor),
      currencyCode: currencyCodeOf(currency, 'createRefund'),
    };
    const { refundId } = await transport.call(
      operations.createRefund,
      { body },
      { idempotencyKey, maxAttempts },
    );
    if ((orderIds.get(refundId) ?? refundOrderId) !== refundOrderId)
      throw new UnexpectedAnswerError('createRefund', 200, anotherRefund);
    repetitions.answered(idempotencyKey);
    lastCreatedId = refundId;
    orderIds.set(refundId, refundOrderId);
    return refundId;
  }

  async function createRefund(request: CreateRefundRequest): Promise<CreateRefundAnswer> {
    try {
      return { kind: 'created', refundId: await post(request, maxCreateAttempts) };
    } catch (error) {
      const detail = messageOf(error);
      if (error instanceof InvalidRequestError)
        return { kind: 'refused', reason: 'refusedByService', detail };
      // Credentials that are refused now may have been good for an earlier attempt whose answer was
      // lost: that is not a "no". Nor is a "no" to a repetition one to the attempt before it.
      if (
        !(error instanceof ServiceRefusedError) ||
        error.code === keyWasUsed ||
        error.afterSilence
      ) {
        repetitions.lost(request.idempotencyKey);
        return { kind: 'unknown', detail };
      }
      const reason =
        reasonByCode[error.code ?? ''] ??
        (isNotOnboarded(error) ? 'notOnboarded' : 'refusedByService');
      return { kind: 'refused', reason, detail };
    }
  }

  /** null for a refund of another integrator. */
  async function orderIdOf(refundId: string, paymentId: string): Promise<string | null> {
    const known = orderIds.get(refundId);
    if (known !== undefined) return known;
    try {
      const { refundOrderId, paymentId: ofPayment } = await transport.call(operations.getRefund, {
        refundId,
      });
      if (!isSameId(ofPayment, paymentId))
        throw new UnexpectedAnswerError('getRefund', 200, anotherRefund);
      orderIds.set(refundId, refundOrderId);
      return refundOrderId;
    } catch (error) {
      if (error instanceof ServiceRefusedError && error.status === 403) return null;
      throw error;
    }
  }

  async function lookUpRefund(
    paymentId: string,
    refundOrderId: string,
  ): Promise<LookUpRefundAnswer> {
    try {
      const { refundIds } = await transport.call(operations.listRefunds, { query: { paymentId } });
      for (const refundId of refundIds)
        if ((await orderIdOf(refundId, paymentId)) === refundOrderId)
          return { kind: 'found', refundId };
      return { kind: 'none' };
    } catch (error) {
      return { kind: 'unknown', detail: messageOf(error) };
    }
  }

  const identifyRefund = (request: IdentifyRefundRequest): Promise<LookUpRefundAnswer> =>
    repetitions.identify<Extract<LookUpRefundAnswer, { kind: 'found' }>>({
      ...request,
      look: () => lookUpRefund(request.paymentId, request.refundOrderId),
      repeat: async () => ({ kind: 'found', refundId: await post(request, 1) }),
    });

  function watchRefund(
    refundId: string,
    namedBefore: number | null = null,
    of?: RefundNames,
  ): RefundWatch {
    const pace = new PollPace(clock, {
      namedBefore: refundId === lastCreatedId ? null : (namedBefore ?? defaultPollDelayMs),
    });
    return {
      async poll(signal) {
        await pace.turn(signal);
        try {
          const refund = await transport.call(operations.getRefund, { refundId }, { signal });
          pace.answered(refund.pollDelayInMs);
          if (of !== undefined && !isOf(refund, of))
            return { kind: 'unknown', detail: anotherRefund };
          return {
            kind: 'seen',
            status: refundStatus(profile, refund.status),
            ...unusualPollDelay(refund.pollDelayInMs),
          };
        } catch (error) {
          signal.throwIfAborted();
          pace.failed(error instanceof ServiceUnreachableError ? error.retryAfterMs : null);
          if (error instanceof ServiceRefusedError && error.status === 404)
            return { kind: 'notFound' };
          return { kind: 'unknown', detail: messageOf(error) };
        }
      },
    };
  }

  return {
    createRefund,
    lookUpRefund,
    identifyRefund,
    watchRefund,
    captureRefund: (refundId) =>
      settle(() => transport.call(operations.captureRefund, { refundId })),
    cancelRefund: (refundId) => settle(() => transport.call(operations.cancelRefund, { refundId })),
  };
}
