/**
 * Implements `preload/procedures/setup-payment.ts`: the payment and its refund are the lane's own,
 * through its journal.
 */
import { Refusal } from '../../../preload/procedures/procedure.ts';
import { testOrderText } from '../../core/domain/service-text.ts';
import type { Handlers } from '../server/router.ts';
import type { LaneSettings } from '../settings/schema.ts';
import { type FormerWalletSettings, isForTests } from '../settings/wallet.ts';
import { testPhone } from '../../wallets/v10/point-of-sale/test-phones.ts';
import type { ServiceSetup } from './service-setup.ts';
import type { SetupHost } from './setup-host.ts';

interface PaymentTestOptions {
  readonly host: Pick<SetupHost, 'settings' | 'payByHand' | 'refund' | 'checkInSimulated'>;
  readonly service: Pick<ServiceSetup, 'inUse'>;
}

const testAmountMinor = 100;
/**
 * Real money. The documents name no least amount but that it is positive, with two decimals
 * (document 4, section 1.2; NOK 1: document 5, section 2.2).
 */
const minAmountMinor = 1;
/** Appears in the accounts. */
const note = 'test payment';

export class PaymentTest {
  readonly #options: PaymentTestOptions;
  /** The lane of each payment that was started here. */
  readonly #started = new Map<string, string>();

  constructor(options: PaymentTestOptions) {
    this.#options = options;
  }

  readonly handlers: Handlers = {
    payForTest: ({ laneId, actionId }) => {
      const { lane, wallet } = this.#lane(laneId);
      const amountMinor =
        isForTests(wallet) || lane.currency === 'NOK' ? testAmountMinor : minAmountMinor;
      const answer = this.#options.host.payByHand(laneId, {
        actionId,
        amountMinor,
        orderText: testOrderText,
        isTest: true,
      });
      if ('refused' in answer && answer.refused === 'busy')
        throw new Refusal('busy', 'a payment or a refund is under way');
      if ('refused' in answer)
        throw new Refusal('laneNotReady', `the lane refuses: ${answer.refused}`);
      this.#started.set(answer.saleId, laneId);
      return { ...answer, amountMinor, currency: lane.currency };
    },

    useTestPhone: async ({ laneId, does }) => {
      const simulated = does === 'checkIn' ? this.#options.host.checkInSimulated(laneId) : null;
      if (simulated !== null) return { phoneNumber: simulated };
      const { lane, wallet } = this.#lane(laneId);
      if (!('merchantVat' in wallet) || !wallet.testService)
        throw new Refusal(
          'notTestService',
          'only a point-of-sale service for tests has test phones',
        );
      const phoneNumber = testPhone(
        wallet.merchantVat,
        lane.restrictions?.creditCardDisallowed === true ? 'debit' : 'credit',
      );
      const service = this.#options.service.inUse(wallet);
      const [found] = await service.pointsOfSale({ merchantPosId: lane.pointOfSale.merchantPosId });
      if (found?.beaconId == null) throw new Refusal('notFound', 'the point of sale has no beacon');
      await service.useTestPhone(does, { beaconId: found.beaconId, phoneNumber });
      return { phoneNumber };
    },

    refundTest: ({ laneId, saleId, actionId }, { manager }) => {
      if (this.#started.get(saleId) !== laneId)
        throw new Refusal('notFound', 'no test payment of this lane', { field: 'saleId' });
      const answer = this.#options.host.refund(laneId, {
        actionId,
        sale: { saleId },
        amountMinor: null,
        note,
        name: manager?.name ?? 'Setup',
      });
      if ('refused' in answer)
        throw new Refusal('refundRefused', `the lane refuses: ${answer.refused}`);
      return answer;
    },
  };

  /** @throws Refusal notFound, notHere */
  #lane(laneId: string): { readonly lane: LaneSettings; readonly wallet: FormerWalletSettings } {
    const settings = this.#options.host.settings();
    const lane = settings?.lanes.find(({ id }) => id === laneId);
    if (settings === null || lane === undefined)
      throw new Refusal('notFound', `there is no lane ${laneId}`, { field: 'laneId' });
    if ('simulator' in settings.wallet) throw new Refusal('notHere', 'the service is simulated');
    return { lane, wallet: settings.wallet };
  }
}
