/**
 * The fields that an installer fills in, with their rules. Screens show them while typing, and the
 * daemon checks them.
 */
import { z } from 'zod';
import * as rules from '../../main/core/domain/field-rules.ts';
import { languages } from '../../main/core/domain/languages.ts';
import { maxOrigins, serviceAddress, webOrigin } from '../../main/core/domain/service-address.ts';
import { lineProtocols } from '../../main/core/domain/line-protocols.ts';
import { serialFormat } from '../../main/core/domain/serial-format.ts';
import { adapterRule, namesAdapter, parseAdapter } from '../../main/core/domain/usb-adapter.ts';
import { defaultPorts } from '../../main/core/domain/default-ports.ts';
import { countries, epaymentEnvironments } from '../../main/core/domain/wallet-services.ts';
import { answerShape } from './setup-field.ts';
import { derivedLaneFields, laneFields, pointOfSaleFields } from './setup-lane-fields.ts';
import { portFields, serialFields, tcpFields, zvtFields } from './setup-till-fields.ts';

export const Language = z.enum(languages);

const ServiceText = rules.typed(rules.FilledServiceText);

export const MerchantPosId = ServiceText;
/** The name that the customer sees after checking in. */
export const PointOfSaleName = ServiceText;
export const MerchantVat = rules.typed(rules.MerchantVat);

/**
 * The check digits of both countries' numbers: the last digit makes the weighted sum a multiple of
 * 11.
 */
const checkWeights = { DK: [2, 7, 6, 5, 4, 3, 2, 1], FI: [7, 9, 10, 5, 8, 4, 2, 1] } as const;

/**
 * Normalises a VAT number as people write it. Blanks, dots and dashes are removed. Eight digits
 * without a country get one: FI with a dash before the last digit; otherwise the country whose
 * check digit is right; otherwise that of the shop's language.
 */
export function merchantVatIn(typed: string, language: z.infer<typeof Language>): string {
  const text = typed.replaceAll(/[\s.-]/g, '').toUpperCase();
  if (!/^\d{8}$/.test(text)) return text;
  if (/^\d{7}-\d$/.test(typed.trim())) return `FI${text}`;
  const isOf = (country: keyof typeof checkWeights): boolean =>
    checkWeights[country].reduce((sum, weight, place) => sum + weight * Number(text[place]), 0) %
      11 ===
    0;
  if (isOf('DK') !== isOf('FI')) return `${isOf('DK') ? 'DK' : 'FI'}${text}`;
  return `${language === 'fi' || language === 'sv' ? 'FI' : 'DK'}${text}`;
}
export const MerchantBrandId = rules.typed(rules.MerchantBrandId);
export const MerchantLocationId = rules.typed(rules.MerchantLocationId);

/**
 * The till of a successful test payment: `own` is the built-in one, `till` the shop's, with its
 * line.
 */
export const TestedWith = z.enum(['own', 'till']);
export type TestedWith = z.infer<typeof TestedWith>;

export {
  countries,
  type Country,
  currencyOfCountry,
  environments,
  type Environment,
  epaymentService,
  walletServiceNames,
  type WalletServiceName,
  walletServices,
} from '../../main/core/domain/wallet-services.ts';
export type { Currency } from '../../main/core/domain/money.ts';
export {
  BeaconId,
  maxTillAddresses,
  TillAddress,
  TillPassword,
} from '../../main/core/domain/field-rules.ts';
export { type LineProtocol, lineProtocols } from '../../main/core/domain/line-protocols.ts';
export {
  formatOf,
  type SerialFormat,
  type WholeSerialFormat,
} from '../../main/core/domain/serial-format.ts';
export {
  profileOf,
  type TillProfileId,
  tillProfileIds,
} from '../../main/core/domain/till-profiles.ts';
export { isOfThisMachineAlone, defaultPorts } from './plain.ts';

/**
 * Why an address that an installer names cannot be served. `hostNotHere`: facts.host. Those of a
 * port: facts.count. `portReserved`: the system reserves it; facts.detail is the command that lists
 * such ports.
 */
export const addressRefusals = [
  'hostNotHere',
  'portTaken',
  'portReserved',
  'portPrivileged',
] as const;
export {
  type AddressProblem,
  addressProblem,
  maxOrigins,
  webOrigin,
} from '../../main/core/domain/service-address.ts';

/**
 * The beacon id in what was scanned or typed: the text of a QR code, or the id alone, in any case,
 * and also when a scanner's keyboard layout has turned `:`, `/`, `?`, `=` and `-` into other
 * characters.
 * @returns null when there is none
 */
export function beaconIdIn(scanned: string): string | null {
  const text = scanned.trim().toLowerCase();
  const guid =
    /(?<![0-9a-f])([0-9a-f]{8})[^0-9a-z]([0-9a-f]{4})[^0-9a-z]([0-9a-f]{4})[^0-9a-z]([0-9a-f]{4})[^0-9a-z]([0-9a-f]{12})(?![0-9a-f])/.exec(
      text,
    );
  if (guid !== null) return guid.slice(1).join('-');
  return /(?<!\d)\d{15}(?!\d)/.exec(text)?.[0] ?? null;
}

/**
 * The wallet service. A secret of null means the one that the daemon has for this client and these
 * addresses, if any. It is never sent to other addresses.
 */
export const ServiceInput = z.object({
  kind: z.literal('service'),
  baseUrl: serviceAddress,
  authUrl: serviceAddress,
  clientId: z.string().trim().min(1, 'must not be empty').max(200, 'has more than 200 characters'),
  clientSecret: z
    .string()
    .min(1, 'must not be empty')
    .max(1000, 'has more than 1000 characters')
    .nullable(),
  /**
   * merchant: an access token is valid for one merchant. integrator: it is valid for all, and each
   * request has the VAT number.
   */
  tokenFor: z.enum(['merchant', 'integrator']).default('merchant'),
  /** The names that this deployment of the service uses. */
  profile: z.enum(['generic', 'mobilepay']).default('generic'),
  /**
   * The merchant's key of the reporting interface, for the manager's reconciliation with the bank.
   * Optional.
   */
  reportingKey: z
    .string()
    .min(1, 'must not be empty')
    .max(1000, 'has more than 1000 characters')
    .nullable()
    .default(null),
  /** null for the path below `baseUrl`. */
  reportingUrl: serviceAddress.nullable().default(null),
  /**
   * Whether the service is one for tests. Every screen shows that, and its certificates need not be
   * checked.
   */
  testService: z.boolean().default(false),
});
export type ServiceInput = z.infer<typeof ServiceInput>;

const key = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .regex(/^[\x21-\x7e]{1,1000}$/, 'must be letters, digits and signs without spaces');

/**
 * A sales unit of the ePayment service, and its keys. A key of null means the same as a secret of
 * null in `ServiceAsked`.
 */
export const SalesUnitInput = z.object({
  kind: z.literal('epayment'),
  /** Keys are valid in one environment. With test every screen shows that. */
  environment: z.enum(epaymentEnvironments),
  country: z.enum(countries),
  merchantSerialNumber: rules.typed(rules.MerchantSerialNumber),
  clientId: key.max(200, 'has more than 200 characters'),
  clientSecret: key.nullable(),
  subscriptionKey: key.nullable(),
  /** The address of a simulated service; null for the environment's. */
  baseUrl: serviceAddress.nullable().default(null),
});
export type SalesUnitInput = z.infer<typeof SalesUnitInput>;

/** simulator: a demonstration without money, which needs no further wallet and store fields. */
export const WalletInput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('simulator') }),
  ServiceInput,
  SalesUnitInput,
]);
export type WalletInput = z.infer<typeof WalletInput>;

/**
 * As `WalletInput`, with whether there are secrets instead of the secrets. `provenAtMs`: when these
 * credentials last passed `testCredentials`, or null.
 */
export const WalletView = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('simulator') }),
  ServiceInput.omit({ clientSecret: true, reportingKey: true }).extend({
    hasSecret: z.boolean(),
    hasReportingKey: z.boolean(),
    provenAtMs: z.number().nullable(),
  }),
  /** `hasSecret`: whether there are both client secret and subscription key. */
  SalesUnitInput.omit({ clientSecret: true, subscriptionKey: true }).extend({
    hasSecret: z.boolean(),
    provenAtMs: z.number().nullable(),
  }),
]);
export type WalletView = z.infer<typeof WalletView>;

export const Store = z.object({
  storeId: z.guid(),
  name: z.string().nullable(),
  street: z.string().nullable(),
  zipCode: z.string().nullable(),
  city: z.string().nullable(),
  brandName: z.string().nullable(),
  merchantBrandId: z.string().nullable(),
  merchantLocationId: z.string().nullable(),
});
export type Store = z.infer<typeof Store>;

export const StoreInput = z.object({ merchantVat: MerchantVat, store: Store });
export type StoreInput = z.infer<typeof StoreInput>;

/** One lane and its point of sale at the service. */
export const PointOfSaleInput = z.object({
  merchantPosId: MerchantPosId,
  name: PointOfSaleName,
  beaconTypes: rules.BeaconTypes,
  /** null for a new one at each creation, chosen by the service. */
  beaconId: rules.BeaconId.nullable(),
  ...answerShape({ ...derivedLaneFields, ...laneFields, ...pointOfSaleFields }),
  /** Cards with which customers may not pay here. */
  restrictions: z
    .object({ debitCardDisallowed: z.boolean(), creditCardDisallowed: z.boolean() })
    .default({ debitCardDisallowed: false, creditCardDisallowed: false }),
  /**
   * Alias of a notification service; null for none. When it is missing, the point of sale keeps the
   * one it has at the service.
   */
  callbackAlias: ServiceText.nullable().optional(),
});
export type PointOfSaleInput = z.infer<typeof PointOfSaleInput>;

const protocol = z.enum(lineProtocols).default('zvt');
/** The fields of a serial port, for a till or a scanner. */
export const SerialPort = {
  path: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(500)
    .refine((path) => !namesAdapter(path) || parseAdapter(path) !== null, adapterRule),
  ...answerShape(portFields),
};
const SerialLine = z.object({
  protocol,
  transport: z.literal('serial'),
  ...SerialPort,
  ...answerShape(serialFields),
  ...serialFormat,
});
const TcpLine = z.object({
  protocol,
  transport: z.literal('tcp'),
  ...answerShape(tcpFields),
});

const FilePath = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(1000, 'has more than 1000 characters');
/** The address at which tills that are programs reach this computer, one for all of them. */
export const TillApi = z.object({
  host: z.string().trim().min(1, 'must not be empty').max(200).default('127.0.0.1'),
  port: rules.TcpPort.default(defaultPorts.api),
  /** PEM files of this computer; null for HTTP without encryption, for this computer alone. */
  tls: z.object({ certificate: FilePath, key: FilePath }).nullable().default(null),
  /** Origins of web pages that may call it; none by default. */
  origins: z.array(webOrigin).max(maxOrigins, `has more than ${maxOrigins} addresses`).default([]),
});
export type TillApi = z.infer<typeof TillApi>;
export const { isPrintableAscii } = rules;
/** Passphrase of Nexo's shared key, as setup stores it. */
export const NexoPassphrase = rules.NexoPassphrase.max(200, 'must have at most 200 characters');
export const PoiId = rules.typed(rules.PoiId);
/** Nexo instead of the operations of the HTTP API. `key` is null when the till sends a token. */
const nexoWith = <More extends z.ZodRawShape>(ofKey: More) =>
  z
    .object({
      poiId: PoiId,
      key: z
        .object({
          identifier: z
            .string()
            .trim()
            .min(1, 'must not be empty')
            .max(128, 'has more than 128 characters'),
          version: z
            .int('must be a whole number')
            .min(0, 'must be 0 or more')
            .max(999_999_999, 'must be at most 999999999'),
          ...ofKey,
        })
        .nullable()
        .default(null),
    })
    .nullable()
    .default(null);
/** A till that is a program. */
const HttpTill = TillApi.extend({ transport: z.literal('http') });
/** The fields of a till over HTTP. @param ofKey further fields of the shared key */
export const httpWith = <More extends z.ZodRawShape>(ofKey: More) => ({ nexo: nexoWith(ofKey) });

/** The line of a till, and its protocol. */
export const TillLine = z.discriminatedUnion('transport', [SerialLine, TcpLine]);
export type TillLine = z.infer<typeof TillLine>;

/**
 * A till's line with its permissions and further fields. A till of Concert uses the line alone.
 * @param more fields about the password
 * @param ofHttp fields of a till over HTTP
 */
export const tillWith = <More extends z.ZodRawShape, OfHttp extends z.ZodRawShape>(
  more: More,
  ofHttp: OfHttp,
) => {
  const about = { ...answerShape(zvtFields), ...more };
  return z.discriminatedUnion('transport', [
    SerialLine.extend(about),
    TcpLine.extend(about),
    HttpTill.extend(ofHttp),
  ]);
};

/**
 * A `password` of null means the one that the daemon has, if any; an empty one means none. A
 * `passphrase` of null means the one that it has.
 */
export const TillInput = tillWith(
  {
    password: z
      .union([z.literal(''), rules.TillPassword], { error: 'must be six digits' })
      .nullable()
      .default(null),
  },
  httpWith({ passphrase: NexoPassphrase.nullable().default(null) }),
);
export type TillInput = z.infer<typeof TillInput>;

/** As `TillInput`, with whether there is a password instead of the password. */
export const TillView = tillWith(
  { hasPassword: z.boolean().default(false) },
  {
    ...httpWith({ hasPassphrase: z.boolean().default(false) }),
    /** The names in its certificate, by which tills call it. */
    names: z.array(z.string()).default([]),
  },
);
export type TillView = z.infer<typeof TillView>;
/** A till on a line of its own. */
export type LineView = Exclude<TillView, { transport: 'http' }>;

/** The line of a till, or a till that is a program. */
type AnyLine = TillLine | { readonly transport: 'http'; readonly nexo: object | null };

/**
 * Whether two lines are the same to a till: the same port or address, and the same protocol.
 * Programs have no line of their own.
 */
export function isSameLine(one: AnyLine, other: AnyLine): boolean {
  if (one.transport === 'http' || other.transport === 'http')
    return (
      one.transport === 'http' &&
      other.transport === 'http' &&
      (one.nexo === null) === (other.nexo === null)
    );
  if (one.protocol !== other.protocol) return false;
  if (one.transport === 'serial') return other.transport === 'serial' && one.path === other.path;
  return other.transport === 'tcp' && one.host === other.host && one.port === other.port;
}
