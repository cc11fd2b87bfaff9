/** What setup asks the wallet service, with credentials that are not in use yet. */
import type { OutputOf } from '../../../preload/procedures.ts';
import type { PresentPointOfSale } from '../../../preload/procedures/setup-service.ts';
import type { Store } from '../../../preload/procedures/setup-fields.ts';
import type { Clock } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';
import { integratorAccess } from '../../wallets/v10/v10-access.ts';
import type { HttpSend } from '../../wallets/http/http.ts';
import { parseAnswer } from '../../wallets/http/json.ts';
import * as operations from '../../wallets/v10/point-of-sale/point-of-sale-operations.ts';
import type { PointOfSale } from '../../wallets/v10/point-of-sale/point-of-sale-schemas.ts';
import type { PointOfSaleSettings } from '../../wallets/v10/point-of-sale/point-of-sale-settings.ts';
import { isActive } from '../../wallets/v10/point-of-sale/point-of-sale-status.ts';
import { type ProfileName, profileNamed } from '../../wallets/v10/v10-profile.ts';
import { TokenSource } from '../../wallets/v10/v10-token.ts';
import { Transport } from '../../wallets/http/transport.ts';
import { deletePointOfSale } from './delete-point-of-sale.ts';
import { Exchanges, reasonOf } from './service-reasons.ts';
import { z } from 'zod';

/** The wallet service and its credentials; `merchantVat` is null until a merchant was chosen. */
export interface ServiceAddress {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly merchantVat: string | null;
  readonly tokenFor: 'merchant' | 'integrator';
  readonly profile: ProfileName;
}

export interface Network {
  readonly send: HttpSend;
  readonly clock: Clock;
  /**
   * Takes the date of an answer, and returns how far this computer's clock is ahead, in seconds.
   */
  readonly compareClock?: (dateMs: number) => number;
  readonly log: Log;
  readonly clientVersion: string;
}

/** More than a shop has counters; in longer lists the number is typed. */
const maxPointsOfSale = 100;

/** Every method throws a Refusal with the real reason. */
export class ServiceInSetup {
  readonly #address: ServiceAddress;
  readonly #network: Network;
  readonly #transport: Transport;
  readonly #exchanges: Exchanges;

  constructor(address: ServiceAddress, network: Network) {
    this.#address = address;
    this.#network = network;
    const { baseUrl, authUrl, clientId, clientSecret, merchantVat, tokenFor } = address;
    const profile = profileNamed(address.profile);
    const { clock, log, clientVersion } = network;
    const credentials = { clientId, clientSecret, merchantVat: merchantVat ?? '' };
    const isToken = (url: string): boolean =>
      url.startsWith(authUrl) && url.endsWith(profile.tokenPath);
    this.#exchanges = new Exchanges(network, ({ url }) => (isToken(url) ? 'authUrl' : 'baseUrl'));
    const { send } = this.#exchanges;
    this.#transport = new Transport({
      baseUrl,
      access: integratorAccess({
        authUrl,
        credentials,
        tokenFor,
        clientVersion,
        profile,
        send,
        clock,
      }),
      profile,
      send,
      clock,
      log,
    });
  }

  /** Fetches a token, and with a merchant shows it to the service. */
  test(): Promise<OutputOf<'testCredentials'>> {
    return this.#asked(async () => {
      const { authUrl, clientId, clientSecret, merchantVat, tokenFor, profile } = this.#address;
      // Without repetitions, so that the screen shows the reason at once.
      const token = new TokenSource({
        url: authUrl.replace(/\/+$/, '') + profileNamed(profile).tokenPath,
        credentials: { clientId, clientSecret, merchantVat: merchantVat ?? '' },
        tokenFor: merchantVat === null ? 'integrator' : tokenFor,
        send: this.#exchanges.send,
        clock: this.#network.clock,
      });
      await token.get();
      const { expires_in: expiresInSeconds } = z
        .object({ expires_in: z.number() })
        .parse(parseAnswer(this.#exchanges.last?.answer?.body ?? ''));
      const clockOffSeconds = this.#exchanges.last?.clockOffSeconds ?? null;
      const stores =
        merchantVat === null
          ? null
          : (await this.#transport.call(operations.listStores, { query: {} })).length;
      return { expiresInSeconds, clockOffSeconds, stores };
    });
  }

  stores(at: { merchantBrandId: string; merchantLocationId: string } | null): Promise<Store[]> {
    return this.#asked(async () => {
      const stores = await this.#transport.call(operations.listStores, { query: at ?? {} });
      return stores.map(
        ({
          storeId,
          storeName,
          storeStreet,
          storeZipCode,
          storeCity,
          brandName,
          merchantBrandId,
          merchantLocationId,
        }) => ({
          storeId,
          name: storeName ?? null,
          street: storeStreet ?? null,
          zipCode: storeZipCode ?? null,
          city: storeCity ?? null,
          brandName: brandName ?? null,
          merchantBrandId: merchantBrandId ?? null,
          merchantLocationId: merchantLocationId ?? null,
        }),
      );
    });
  }

  /** The name of one store; null when it has none. */
  storeName(storeId: string): Promise<string | null> {
    return this.#asked(
      async () => (await this.#transport.call(operations.getStore, { storeId })).storeName ?? null,
    );
  }

  pointsOfSale(
    query: { storeId: string } | { beaconId: string } | { merchantPosId: string },
  ): Promise<PointOfSale[]> {
    return this.#asked(async () => {
      const { posIds } = await this.#transport.call(operations.listPointsOfSale, { query });
      const found: PointOfSale[] = [];
      for (const posId of posIds.slice(0, maxPointsOfSale))
        found.push(await this.#transport.call(operations.getPointOfSale, { posId }));
      return found;
    });
  }

  create(wanted: PointOfSaleSettings, idempotencyKey: string): Promise<void> {
    return this.#asked(async () => {
      const {
        beaconTypes,
        beaconId,
        requirePaymentBeforeCheckin = false,
        callbackAlias,
        ...body
      } = wanted;
      await this.#transport.call(
        operations.createPointOfSale,
        {
          body: {
            ...body,
            supportedBeaconTypes: [...beaconTypes],
            requirePaymentBeforeCheckin,
            ...(beaconId !== null && { beaconId }),
            ...(callbackAlias != null && { callbackAlias }),
          },
        },
        { idempotencyKey },
      );
    });
  }

  /** As `deletePointOfSale`. */
  delete(posId: string): Promise<number> {
    return this.#asked(() =>
      deletePointOfSale(this.#transport, profileNamed(this.#address.profile), posId),
    );
  }

  /** A user of the sandbox. */
  useTestPhone(
    does: 'checkIn' | 'approve',
    body: { readonly beaconId: string; readonly phoneNumber: string },
  ): Promise<void> {
    const operation =
      does === 'checkIn' ? operations.simulateCheckIn : operations.simulateAcceptPayment;
    return this.#asked(() => this.#transport.call(operation, { body }));
  }

  /** Counts the open payments: with money reserved, and without. */
  openPayments(posId: string): Promise<{ reserved: number; active: number }> {
    return this.#asked(async () => {
      const { paymentIds } = await this.#transport.call(operations.listPayments, {
        query: { posId },
      });
      let active = 0;
      for (const paymentId of paymentIds) {
        const { status } = await this.#transport.call(operations.getPayment, { paymentId });
        if (isActive(profileNamed(this.#address.profile), status)) active += 1;
      }
      return { active, reserved: paymentIds.length - active };
    });
  }

  async #asked<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    this.#exchanges.forget();
    try {
      return await ask();
    } catch (error) {
      throw reasonOf(error, this.#exchanges.last, { merchant: this.#address.merchantVat !== null });
    }
  }
}

export function presentPointOfSale(found: PointOfSale, laneId: string | null): PresentPointOfSale {
  const {
    posId,
    merchantPosId,
    name,
    storeId,
    supportedBeaconTypes,
    beaconId,
    requirePaymentBeforeCheckin,
    callbackAlias,
  } = found;
  return {
    posId,
    merchantPosId,
    name,
    storeId,
    beaconTypes: supportedBeaconTypes,
    beaconId: beaconId ?? null,
    requirePaymentBeforeCheckin: requirePaymentBeforeCheckin ?? false,
    callbackAlias: callbackAlias || null,
    laneId,
  };
}
