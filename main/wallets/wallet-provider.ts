/** What a wallet provider is to a counter. Each provider's folder declares one value. */
import type { z } from 'zod';
import type { BeaconType } from '../core/domain/beacons.ts';
import type { Clock } from '../core/domain/clock.ts';
import type { Ids } from '../core/domain/ids.ts';
import type { Log } from '../core/domain/log.ts';
import type { Currency } from '../core/domain/money.ts';
import type { ServiceName } from '../core/domain/sale.ts';
import type { MerchantPayments, PointOfSaleClient } from '../core/lane/wallet-port.ts';
import type { Capabilities } from '../core/settlement/capabilities.ts';
import type { Secret } from '../support/settings/secrets.ts';
import type { HttpSend } from './http/http.ts';
import type { Transport, TransportOptions } from './http/transport.ts';
import type { Profile } from './v10/v10-profile.ts';

/** Settings once their secrets have been looked up: each is text then. */
export type WithSecrets<Settings> = Settings extends object
  ? {
      [Field in keyof Settings]: Secret extends NonNullable<Settings[Field]>
        ? Extract<Settings[Field], undefined> | string
        : Settings[Field];
    }
  : never;

/** One value that a merchant gets from the provider and types in setup. */
export interface Credential {
  /** The name of its setting. */
  readonly field: string;
  /** Whether it is sealed at rest and never shown. */
  readonly isSecret: boolean;
  readonly isOptional: boolean;
}

/** A lane's settings as far as a provider reads them. */
export interface LaneAtProvider {
  readonly id: string;
  readonly pointOfSale: {
    readonly merchantPosId: string;
    readonly storeId?: string | undefined;
    readonly name: string;
    readonly beaconTypes: readonly BeaconType[];
    readonly beaconId: string | null;
    readonly requirePaymentBeforeCheckin: boolean;
    readonly callbackAlias?: string | null | undefined;
  };
  readonly sticker?:
    | { readonly id?: string | undefined; readonly beaconId?: string | undefined }
    | undefined;
  readonly restrictions?:
    | { readonly debitCardDisallowed: boolean; readonly creditCardDisallowed: boolean }
    | undefined;
  readonly merchantPaymentLabel?: string | undefined;
}

/** The settings of a lane that a provider may require or refuse. */
export interface CheckedLane extends LaneAtProvider {
  readonly flow: 'initiate' | 'prepare';
  readonly checkInFirst: boolean;
  readonly scanner?: object | undefined;
  readonly customerTypesNumber: boolean;
}

/** A setting of a lane that the provider refuses. */
export interface LaneIssue {
  /** Below the lane, e.g. `pointOfSale.storeId`. */
  readonly path: string;
  readonly message: string;
  readonly input: unknown;
}

/** What a provider is told about the shop. */
export interface ShopAtProvider {
  readonly shop?: { readonly name?: string | undefined } | undefined;
  readonly lanes: readonly { readonly till: { readonly protocol: string } }[];
}

/** Wraps the client of a point of sale that is deleted and created anew before its lane opens. */
export interface RecreatedPointsOfSale {
  around(
    client: PointOfSaleClient,
    at: {
      readonly transport: Transport;
      readonly profile: Profile;
      readonly merchantPosId: string;
    },
  ): PointOfSaleClient;
}

/** What a provider's clients need of the process. */
export interface ProviderNetwork extends Pick<TransportOptions, 'observe'> {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly send: HttpSend;
  /** `Major.Minor.Build` of this program. */
  readonly clientVersion: string;
  /** null: no point of sale is created anew. */
  readonly recreations: RecreatedPointsOfSale | null;
}

/** The stickers of a sales unit. */
export interface SalesUnitStickers {
  readonly msn: string;
  readonly baseUrl: string;
  /** Ends the code of a sticker; succeeds when it is gone already. @throws as `Transport.call` */
  end(merchantQrId: string, signal: AbortSignal): Promise<void>;
}

/** A provider with the keys of one merchant, and its clients for each lane. */
export interface OpenedProvider {
  readonly name: ServiceName;
  counterOf(lane: LaneAtProvider): PointOfSaleClient;
  /** Checks only whether the provider answers, and logs nothing. @throws as `Transport.call` */
  isThere(lane: LaneAtProvider, signal: AbortSignal): Promise<void>;
  readonly merchantPayments: MerchantPayments;
  /** Missing for a provider without stickers. */
  readonly stickers?: SalesUnitStickers;
}

/**
 * One provider. It is light: `open` loads the clients. Methods take `Settings`, those of the
 * provider's own schema.
 */
export interface WalletProvider<Settings extends object> {
  /** In settings, and on disk with each payment. */
  readonly name: ServiceName;
  /** In messages for people, e.g. `the ePayment service`. */
  readonly title: string;
  readonly settings: z.ZodType<Settings>;
  readonly credentials: readonly Credential[];
  /** What every secret must match, besides not being empty; null for any text. */
  readonly secretRule: { readonly pattern: RegExp; readonly message: string } | null;
  readonly capabilities: Capabilities;
  /** All that some merchant of the provider can take. */
  readonly currencies: readonly Currency[];
  /** The currencies of this merchant. */
  currenciesOf(settings: Settings): readonly Currency[];
  addressOf(settings: Settings): string;
  /** Names the merchant among those of one address. */
  accountOf(settings: Settings): string;
  /** Whether no real money moves. Certificates may be unchecked then. */
  isForTests(settings: Settings): boolean;
  /** What a lane must have or leave out. `hasReceiver`: the counter has a callback receiver. */
  laneIssues(lane: CheckedLane, hasReceiver: boolean): readonly LaneIssue[];
  /** What a lane must have for payments of a provider that was in use before. */
  formerLaneIssues(lane: CheckedLane): readonly LaneIssue[];
  /** Whether it is told the shop's name and the kinds of tills, and opens anew when they change. */
  readonly isToldShop: boolean;
  /**
   * What customers call the apps that can pay, the most common name first; empty when no screen
   * names them. @param settings null in a demonstration
   */
  appNames(settings: Settings | null, atMs: number): readonly string[];
  open(
    settings: WithSecrets<Settings>,
    network: ProviderNetwork,
    shop: ShopAtProvider,
  ): Promise<OpenedProvider>;
}
