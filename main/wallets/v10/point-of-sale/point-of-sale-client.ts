import type { Clock } from '../../../core/domain/clock.ts';
import type { Ids } from '../../../core/domain/ids.ts';
import type { Log } from '../../../core/domain/log.ts';
import { minorUnits } from '../../../core/domain/money.ts';
import { messageOf } from '../../../core/domain/errors.ts';
import {
  CredentialsRefusedError,
  InvalidRequestError,
  ServiceRefusedError,
  ServiceUnreachableError,
  UnexpectedAnswerError,
  WalletError,
} from '../../http/errors.ts';
import { PollPace, defaultPollDelayMs } from '../../http/poll-pace.ts';
import type {
  CheckInWatch,
  ClearAnswer,
  CreateAnswer,
  CreateRequest,
  IdentifyRequest,
  ListAnswer,
  LookUpAnswer,
  OpenAnswer,
  OpenPayment,
  PaymentTermsAsked,
  PaymentWatch,
  PointOfSaleClient,
  SettleAnswer,
} from '../../../core/lane/wallet-port.ts';
import { type Profile, qrPayload } from '../v10-profile.ts';
import type { Transport } from '../../http/transport.ts';
import { customerOf, isNotOnboarded, paymentSeen, settle } from './point-of-sale-answers.ts';
import { currencyCodeOf } from './currency.ts';
import { pointOfSaleCapabilities } from './point-of-sale-capabilities.ts';
import * as operations from './point-of-sale-operations.ts';
import { BeaconId, type PaymentRecord, type PointOfSale } from './point-of-sale-schemas.ts';
import { createRefundClient } from './point-of-sale-refunds.ts';
import { maxCreateAttempts, Repetitions } from './repetitions.ts';
import { RecentNames } from './recent-names.ts';
import {
  differences,
  type PaymentSettings,
  type PointOfSaleSettings,
} from './point-of-sale-settings.ts';
import { isActive, paymentStatus } from './point-of-sale-status.ts';

export interface PointOfSaleClientOptions {
  readonly transport: Transport;
  readonly profile: Profile;
  readonly settings: PointOfSaleSettings;
  /** Without it, only the amount is sent with a payment. */
  readonly payments?: PaymentSettings;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

/** One point of sale of the service, for one lane. */
export function createPointOfSaleClient({
  transport,
  profile,
  settings,
  payments = {},
  clock,
  ids,
  log,
}: PointOfSaleClientOptions): PointOfSaleClient {
  const repetitions = new Repetitions(clock);
  let posId: string | null = null;
  /** The payment that was created last and never read: its first poll leaves at once. */
  let unreadId: string | null = null;

  /**
   * Orders of the payments that this process began, by their ids: an answer that names one of these
   * ids for another order is wrong.
   */
  const orderIds = new RecentNames();
  /**
   * Payments that the service has told under another order than ours. Nothing is asked of them
   * before it names ours.
   */
  const contradicted = new Set<string>();

  const openPosId = (): string => {
    if (posId === null) throw new Error('the point of sale is not open yet');
    return posId;
  };

  async function findPosId(): Promise<string | null> {
    const { posIds } = await transport.call(operations.listPointsOfSale, {
      query: { merchantPosId: settings.merchantPosId },
    });
    return posIds[0] ?? null;
  }

  async function createPos(): Promise<string> {
    const body = {
      merchantPosId: settings.merchantPosId,
      storeId: settings.storeId,
      name: settings.name,
      supportedBeaconTypes: [...settings.beaconTypes],
      ...(settings.beaconId === null ? {} : { beaconId: settings.beaconId }),
      ...(settings.requirePaymentBeforeCheckin === true && { requirePaymentBeforeCheckin: true }),
      ...(settings.callbackAlias != null && { callbackAlias: settings.callbackAlias }),
    };
    const created = await transport.call(
      operations.createPointOfSale,
      { body },
      { idempotencyKey: ids.uuid() },
    );
    log.info(
      { posId: created.posId, merchantPosId: settings.merchantPosId },
      'point of sale created',
    );
    return created.posId;
  }

  function logDifferences(pointOfSale: PointOfSale): void {
    const differs = differences(pointOfSale, settings).map(({ field }) => field);
    if (differs.length > 0)
      log.warn(
        { posId: pointOfSale.posId, differs },
        'the point of sale at the service differs from the settings; the one at the service is used',
      );
  }

  async function open(): Promise<OpenAnswer> {
    try {
      const id = (await findPosId()) ?? (await createPos());
      const found = await transport.call(operations.getPointOfSale, { posId: id });
      logDifferences(found);
      log.info(
        {
          posId: id,
          storeId: found.storeId,
          beaconId: found.beaconId,
          merchantPosId: found.merchantPosId,
        },
        'point of sale open',
      );
      posId = id;
      // Customers' phones open what the code says, so only a code with a beacon is shown.
      const beacon =
        found.supportedBeaconTypes.includes('QR') && found.beaconId != null
          ? BeaconId.safeParse(found.beaconId)
          : null;
      if (beacon?.success === false)
        log.error(
          { posId: id, beaconId: found.beaconId },
          'the beacon of the point of sale is none: no code is shown',
        );
      return {
        kind: 'open',
        posId: id,
        qr: beacon?.success === true ? qrPayload(profile, beacon.data) : null,
      };
    } catch (error) {
      const detail = messageOf(error);
      if (error instanceof CredentialsRefusedError) return { kind: 'credentialsRefused', detail };
      if (error instanceof ServiceRefusedError || error instanceof InvalidRequestError)
        return { kind: 'pointOfSaleRefused', detail };
      return { kind: 'unreachable', detail };
    }
  }

  /** @throws as `Transport.call` */
  async function prepare(
    { orderId, idempotencyKey }: CreateRequest,
    maxAttempts: number,
  ): Promise<string> {
    const { paymentId } = await transport.call(
      operations.preparePayment,
      { body: { posId: openPosId(), orderId } },
      { idempotencyKey, maxAttempts },
    );
    began(paymentId, orderId);
    repetitions.answered(idempotencyKey);
    return paymentId;
  }

  /** @throws as `Transport.call` */
  async function initiate({ orderId, idempotencyKey, ...money }: CreateRequest): Promise<string> {
    const body = { posId: openPosId(), orderId, ...termsOf(money, payments) };
    const { paymentId } = await transport.call(
      operations.initiatePayment,
      { body },
      { idempotencyKey },
    );
    began(paymentId, orderId);
    return paymentId;
  }

  /** @throws UnexpectedAnswerError when it is the payment of another order */
  function began(paymentId: string, orderId: string): void {
    if ((orderIds.get(paymentId) ?? orderId) !== orderId)
      throw new UnexpectedAnswerError('createPayment', 200, anotherOrder);
    orderIds.set(paymentId, orderId);
    unreadId = paymentId;
  }

  /** The next poll of the payment waits for its delay from here on. */
  async function read(paymentId: string, signal?: AbortSignal): Promise<PaymentRecord> {
    const found = await transport.call(operations.getPayment, { paymentId }, signal && { signal });
    if (paymentId === unreadId) unreadId = null;
    return found;
  }

  /** Whether the service names our order for it. */
  function isOurs({ orderId: named }: PaymentRecord, paymentId: string, orderId: string): boolean {
    if (named === orderId) contradicted.delete(`${paymentId} ${orderId}`);
    else contradicted.add(`${paymentId} ${orderId}`);
    return named === orderId;
  }

  /**
   * Changes a payment, unless the service has named another order for it last: it would be somebody
   * else's.
   */
  async function change(
    paymentId: string,
    orderId: string | undefined,
    request: () => Promise<unknown>,
  ): Promise<SettleAnswer> {
    if (orderId === undefined || !contradicted.has(`${paymentId} ${orderId}`))
      return settle(request);
    let isAgreed = false;
    const looked = await settle(async () => {
      isAgreed = isOurs(await read(paymentId), paymentId, orderId);
    });
    if (looked.kind !== 'accepted') return looked;
    return isAgreed ? settle(request) : { kind: 'unknown', detail: anotherOrder };
  }

  async function create(request: CreateRequest): Promise<CreateAnswer> {
    try {
      return {
        kind: 'created',
        paymentId: await (request.flow === 'prepare'
          ? prepare(request, maxCreateAttempts)
          : initiate(request)),
      };
    } catch (error) {
      const detail = messageOf(error);
      // A refusal of a repetition says nothing about the attempt before it.
      if (!(error instanceof WalletError && error.afterSilence)) {
        if (error instanceof ServiceRefusedError) {
          if (error.code === '1301') return { kind: 'blocked' };
          return {
            kind: 'refused',
            reason: isNotOnboarded(error) ? 'notOnboarded' : 'refusedByService',
            detail,
          };
        }
        if (error instanceof CredentialsRefusedError)
          return { kind: 'refused', reason: 'credentialsRefused', detail };
        if (error instanceof InvalidRequestError)
          return { kind: 'refused', reason: 'refusedByService', detail };
      }
      repetitions.lost(request.idempotencyKey);
      return { kind: 'unknown', detail };
    }
  }

  /** Ids of the payments here that are active or reserved. */
  async function openPaymentIds(orderId?: string): Promise<readonly string[]> {
    const { paymentIds } = await transport.call(operations.listPayments, {
      query: { posId: openPosId(), ...(orderId === undefined ? {} : { orderId }) },
    });
    return paymentIds;
  }

  async function lookUp(orderId: string): Promise<LookUpAnswer> {
    try {
      const paymentId = (await openPaymentIds(orderId))[0];
      if (paymentId === undefined) return { kind: 'none' };
      const payment = await read(paymentId);
      return payment.orderId === orderId
        ? { kind: 'found', paymentId }
        : { kind: 'unknown', detail: anotherOrder };
    } catch (error) {
      return { kind: 'unknown', detail: messageOf(error) };
    }
  }

  /**
   * A prepared payment reaches no phone before its amount is known, so its request is repeated
   * (document 4, section 1.5). An initiated payment goes to the phone of a checked-in customer
   * (section 1.3). Repeating that request could ask for money that is no longer due, so the payment
   * is only looked up.
   */
  const identify = (request: IdentifyRequest): Promise<LookUpAnswer> =>
    repetitions.identify<Extract<LookUpAnswer, { kind: 'found' }>>({
      ...request,
      look: () => lookUp(request.orderId),
      repeat:
        request.flow === 'initiate'
          ? null
          : async () => ({ kind: 'found', paymentId: await prepare(request, 1) }),
    });

  async function clear(
    mayCancel: (found: OpenPayment) => boolean = () => true,
  ): Promise<ClearAnswer> {
    try {
      const cancelledPaymentIds: string[] = [];
      for (const paymentId of await openPaymentIds()) {
        const payment = await read(paymentId);
        if (
          !mayCancel({ paymentId, orderId: payment.orderId }) ||
          !isActive(profile, payment.status)
        )
          continue;
        const answer = await settle(() => transport.call(operations.cancelPayment, { paymentId }));
        if (answer.kind === 'unknown') return answer;
        const about = { paymentId, orderId: payment.orderId, answer: answer.kind };
        if (answer.kind === 'refused') {
          log.warn(about, 'an active payment that nobody waits for could not be cancelled');
          continue;
        }
        cancelledPaymentIds.push(paymentId);
        log.warn(about, 'an active payment that nobody waits for was cancelled');
      }
      return { kind: 'done', cancelledPaymentIds };
    } catch (error) {
      return { kind: 'unknown', detail: messageOf(error) };
    }
  }

  async function listOpen(isOfInterest: (paymentId: string) => boolean): Promise<ListAnswer> {
    try {
      const payments: OpenPayment[] = [];
      for (const paymentId of await openPaymentIds()) {
        if (!isOfInterest(paymentId)) continue;
        const { orderId } = await read(paymentId);
        payments.push({ paymentId, orderId });
      }
      return { kind: 'listed', payments };
    } catch (error) {
      return { kind: 'unknown', detail: messageOf(error) };
    }
  }

  function watch(
    paymentId: string,
    namedBefore: number | null = null,
    orderId?: string,
  ): PaymentWatch {
    const pace = new PollPace(clock, {
      namedBefore: paymentId === unreadId ? null : (namedBefore ?? defaultPollDelayMs),
    });
    return {
      async poll(signal) {
        await pace.turn(signal);
        try {
          const payment = await read(paymentId, signal);
          pace.answered(payment.pollDelayInMs);
          if (orderId !== undefined && !isOurs(payment, paymentId, orderId))
            return { kind: 'unknown', detail: anotherOrder };
          return paymentSeen(profile, payment);
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

  function watchCheckIn(): CheckInWatch {
    const pace = new PollPace(clock);
    return {
      async poll(signal) {
        await pace.turn(signal);
        try {
          const checkIn = await transport.call(
            operations.lookUpCheckIn,
            { posId: openPosId() },
            { signal },
          );
          pace.answered(checkIn.pollDelayInMs);
          return {
            kind: 'seen',
            isCheckedIn: checkIn.isUserCheckedIn,
            customer: customerOf(checkIn),
          };
        } catch (error) {
          signal.throwIfAborted();
          pace.failed(error instanceof ServiceUnreachableError ? error.retryAfterMs : null);
          return { kind: 'unknown', detail: messageOf(error) };
        }
      },
    };
  }

  /**
   * The service has no cancel with a condition, so an approval between the poll and the cancel is
   * released.
   */
  async function cancel(
    paymentId: string,
    { ifNotApproved, orderId }: Parameters<PointOfSaleClient['cancel']>[1],
  ): Promise<SettleAnswer> {
    if (ifNotApproved) {
      let isReserved = false;
      const looked = await settle(async () => {
        const payment = await read(paymentId);
        isReserved =
          (orderId === undefined || isOurs(payment, paymentId, orderId)) &&
          paymentStatus(profile, payment.status) === 'reserved';
      });
      if (looked.kind !== 'accepted') return looked;
      if (isReserved)
        return {
          kind: 'refused',
          reason: 'approved',
          code: null,
          detail: 'the payment is reserved',
        };
    }
    return change(paymentId, orderId, () =>
      transport.call(operations.cancelPayment, { paymentId }),
    );
  }

  return {
    service: 'v10',
    capabilities: pointOfSaleCapabilities,
    open,
    create,
    lookUp,
    identify,
    clear,
    listOpen,
    watch,
    watchCheckIn,
    ready: (paymentId, money) =>
      change(paymentId, money.orderId, () =>
        transport.call(operations.readyPayment, { paymentId, body: termsOf(money, payments) }),
      ),
    capture: (paymentId, money) =>
      change(paymentId, money.orderId, () =>
        transport.call(operations.capturePayment, {
          paymentId,
          body: { amount: minorUnits(money.amountMinor) },
        }),
      ),
    cancel,
    ...createRefundClient({ transport, profile, clock }),
  };
}

const anotherOrder = 'the service names another order for this payment';

/**
 * The terms of a payment, as initiate and ready carry them (document 4, section 1.1). An attended
 * till captures at once, unless the payment is a reservation (section 1.11).
 */
function termsOf(
  terms: PaymentTermsAsked,
  { restrictions, merchantPaymentLabel }: PaymentSettings,
) {
  return {
    amount: minorUnits(terms.amountMinor),
    currencyCode: currencyCodeOf(terms.currency, 'payment'),
    plannedCaptureDelay: terms.plannedCaptureDelay ?? 'None',
    ...(restrictions !== undefined && { restrictions }),
    ...(merchantPaymentLabel !== undefined && { merchantPaymentLabel }),
  } as const;
}
