/**
 * Implements `preload/procedures/setup-service.ts`, and finds what finishing would change at the
 * service.
 */
import type { OutputOf } from '../../../preload/procedures.ts';
import { Refusal } from '../../../preload/procedures/procedure.ts';
import type { ServiceInput } from '../../../preload/procedures/setup-fields.ts';
import type { Ids } from '../../core/domain/ids.ts';
import type { Handlers } from '../server/router.ts';
import { checksOff } from '../../support/settings/certificate-checks.ts';
import { epaymentService } from '../../core/domain/wallet-services.ts';
import { atStore, type LaneSettings } from '../settings/schema.ts';
import type { V10Settings } from '../../wallets/v10/v10-settings.ts';
import type { PointOfSale } from '../../wallets/v10/point-of-sale/point-of-sale-schemas.ts';
import { differences } from '../../wallets/v10/point-of-sale/point-of-sale-settings.ts';
import { laneOf, type WholeDraft } from './draft.ts';
import { type DraftStore, incomplete } from './draft-store.ts';
import type { SetupHost } from './setup-host.ts';
import { testReports } from './reports.ts';
import { SalesUnitInSetup } from './sales-unit.ts';
import { presentPointOfSale, type Network, ServiceInSetup } from './service.ts';

export type Consequences = Omit<OutputOf<'consequences'>, 'storeName'> & {
  /** The present point of sale; null when there is none. */
  readonly found: PointOfSale | null;
};

interface ServiceSetupOptions {
  readonly drafts: DraftStore;
  readonly host: Pick<SetupHost, 'settings' | 'secrets'>;
  readonly network: Network;
  readonly ids: Ids;
}

export class ServiceSetup {
  readonly #options: ServiceSetupOptions;

  constructor(options: ServiceSetupOptions) {
    this.#options = options;
  }

  readonly handlers: Handlers = {
    testCredentials: async ({ wallet, merchantVat }) => {
      const { drafts, network } = this.#options;
      this.#checkCertificates(wallet);
      const secret = drafts.secret(wallet);
      const answer = await new ServiceInSetup(
        { ...wallet, clientSecret: drafts.opened(secret, 'clientSecret'), merchantVat },
        network,
      ).test();
      drafts.proven({ ...wallet, clientSecret: secret });
      const { baseUrl, reportingUrl, reportingKey, testService } = wallet;
      // A stored key was tried when it was typed. It is optional: with an expired one the client
      // secret can still be renewed.
      if (reportingKey !== null) {
        this.#checkCertificates({ baseUrl: reportingUrl ?? baseUrl, testService });
        await testReports({ ...wallet, reportingKey }, network);
      }
      return answer;
    },

    testSalesUnit: async ({ wallet }) => {
      const { drafts, network } = this.#options;
      const { environment, baseUrl, clientId, merchantSerialNumber: msn } = wallet;
      const address = baseUrl ?? epaymentService.environments[environment];
      this.#checkCertificates({ baseUrl: address, testService: environment === 'test' });
      const kept = drafts.keys(wallet);
      const clientSecret = drafts.opened(kept.clientSecret, 'clientSecret');
      const keys = {
        clientId,
        msn,
        clientSecret,
        subscriptionKeys: [drafts.opened(kept.subscriptionKey, 'subscriptionKey')] as const,
      };
      const answer = await new SalesUnitInSetup(
        { baseUrl: address, keys, isProduction: environment === 'production' },
        network,
      ).test();
      drafts.proven({ ...wallet, ...kept });
      return answer;
    },

    findStores: async ({ merchantVat, at }) => {
      const { draft } = this.#options.drafts;
      if (draft?.wallet?.kind === 'simulator' && draft.store !== null)
        return { stores: [draft.store.store] };
      return { stores: await this.#service(merchantVat).stores(at) };
    },

    findPointsOfSale: async (asked) => {
      const { drafts, host } = this.#options;
      if (drafts.draft?.wallet?.kind === 'simulator' || drafts.draft?.wallet?.kind === 'epayment')
        return { pointsOfSale: [] };
      const store = drafts.draft?.store ?? null;
      if (store === null) throw incomplete('store');
      const query =
        asked.by === 'store'
          ? { storeId: store.store.storeId }
          : asked.by === 'beaconId'
            ? { beaconId: asked.beaconId }
            : { merchantPosId: asked.merchantPosId };
      const found = await this.#service(store.merchantVat).pointsOfSale(query);
      const laneAt = (merchantPosId: string): string | null =>
        host
          .settings()
          ?.lanes.find(({ pointOfSale }) => pointOfSale.merchantPosId === merchantPosId)?.id ??
        null;
      return {
        pointsOfSale: found.map((pos) => presentPointOfSale(pos, laneAt(pos.merchantPosId))),
      };
    },

    consequences: async () => {
      const draft = this.#options.drafts.whole();
      const { found: _found, ...answer } = await this.consequences(draft);
      return { ...answer, storeName: await this.#storeName(draft) };
    },
  };

  /**
   * Settings have the store's id alone. A service that does not say its name does not keep anybody
   * from going on.
   */
  async #storeName({ wallet, store }: WholeDraft): Promise<string | null> {
    if (wallet.kind !== 'service' || store === null || store.store.name !== null) return null;
    return this.#service(store.merchantVat)
      .storeName(store.store.storeId)
      .catch(() => null);
  }

  /** @throws Refusal */
  async consequences(draft: WholeDraft): Promise<Consequences> {
    const none = {
      differences: [],
      newSticker: false,
      presentBeaconId: null,
      beaconTakenBy: null,
      checkInsLost: false,
      reservations: 0,
      abandoned: 0,
    };
    // The embedded simulated service starts empty with every counter.
    if (draft.wallet.kind === 'simulator') return { ...none, pointOfSale: 'new', found: null };
    if (draft.store === null || draft.wallet.kind === 'epayment')
      return { ...none, pointOfSale: 'none', found: null };
    const wanted = atStore(this.#lane(draft).pointOfSale);
    const service = this.#service(draft.store.merchantVat);
    const [found = null] = await service.pointsOfSale({ merchantPosId: wanted.merchantPosId });
    const [atBeacon] =
      wanted.beaconId === null ? [] : await service.pointsOfSale({ beaconId: wanted.beaconId });
    const beaconTakenBy =
      atBeacon !== undefined && atBeacon.posId !== found?.posId ? atBeacon.merchantPosId : null;
    if (found === null) return { ...none, beaconTakenBy, pointOfSale: 'new', found };
    const differing = differences(found, wanted);
    const presentBeaconId = found.beaconId ?? null;
    if (differing.length === 0)
      return { ...none, presentBeaconId, beaconTakenBy, pointOfSale: 'same', found };
    const { reserved, active } = await service.openPayments(found.posId);
    return {
      pointOfSale: 'recreate',
      found,
      differences: differing,
      newSticker:
        wanted.beaconId === null ||
        wanted.beaconId.toLowerCase() !== presentBeaconId?.toLowerCase(),
      presentBeaconId,
      beaconTakenBy,
      checkInsLost: true,
      reservations: reserved,
      abandoned: active,
    };
  }

  /**
   * Before the draft is put in use, so that the installer sees why the service refuses it. @throws
   * Refusal
   */
  async create(draft: WholeDraft): Promise<void> {
    if (draft.wallet.kind !== 'service' || draft.store === null) return;
    await this.#service(draft.store.merchantVat).create(
      atStore(this.#lane(draft).pointOfSale),
      this.#options.ids.uuid(),
    );
  }

  #lane(draft: WholeDraft): LaneSettings {
    const taken = (this.#options.host.settings()?.lanes ?? []).map(({ id }) => id);
    return laneOf(draft, taken);
  }

  /** Before anything is sent: credentials would go to whoever answers. @throws Refusal */
  #checkCertificates({
    baseUrl,
    testService,
  }: Pick<ServiceInput, 'baseUrl' | 'testService'>): void {
    const detail = checksOff(this.#options.host.secrets.environment);
    if (detail === null || testService) return;
    throw new Refusal(
      'certificatesUnchecked',
      `${detail} switches the checks of certificates off`,
      { facts: { host: new URL(baseUrl).host, detail } },
    );
  }

  /**
   * Uses the wallet of the settings in use. @throws Refusal certificatesUnchecked, secretMissing
   */
  inUse(wallet: V10Settings): ServiceInSetup {
    this.#checkCertificates(wallet);
    return new ServiceInSetup(
      { ...wallet, clientSecret: this.#options.drafts.opened(wallet.clientSecret, 'clientSecret') },
      this.#options.network,
    );
  }

  /** Uses the draft's wallet. @throws Refusal incomplete, certificatesUnchecked, secretMissing */
  #service(merchantVat: string): ServiceInSetup {
    const { drafts, network } = this.#options;
    const wallet = drafts.draft?.wallet;
    if (wallet?.kind !== 'service' || wallet.clientSecret === null) throw incomplete('wallet');
    this.#checkCertificates(wallet);
    return new ServiceInSetup(
      { ...wallet, clientSecret: drafts.opened(wallet.clientSecret, 'clientSecret'), merchantVat },
      network,
    );
  }
}
