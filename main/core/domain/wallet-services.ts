import type { Currency } from './money.ts';

/**
 * The wallet services that setup offers by name, with the addresses that an installer would
 * otherwise have to type.
 */

export const environments = ['production', 'sandbox'] as const;
/** sandbox: for tests, no real money moves. */
export type Environment = (typeof environments)[number];

interface Addresses {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly reportingUrl: string;
}

interface WalletService {
  readonly name: string;
  readonly profile: 'generic' | 'mobilepay';
  readonly environments: Readonly<Record<Environment, Addresses>>;
}

/**
 * As published with documents 2 and 3: `servers` of `openapi/pos.yaml` and
 * `openapi/reporting.yaml`, "Environments" of `docs/pos/authentication.md`.
 */
export const walletServices = {
  mobilepay: {
    name: 'MobilePay',
    profile: 'mobilepay',
    environments: {
      production: {
        baseUrl: 'https://api.mobilepay.dk/pos',
        authUrl: 'https://api.mobilepay.dk/integrator-authentication',
        reportingUrl: 'https://api.mobilepay.dk',
      },
      sandbox: {
        baseUrl: 'https://api.sandbox.mobilepay.dk/pos',
        authUrl: 'https://api.sandbox.mobilepay.dk/integrator-authentication',
        reportingUrl: 'https://api.sandbox.mobilepay.dk',
      },
    },
  },
} as const satisfies Readonly<Record<string, WalletService>>;
export type WalletServiceName = keyof typeof walletServices;
export const walletServiceNames = Object.keys(walletServices) as WalletServiceName[];

export const epaymentEnvironments = ['production', 'test'] as const;
export type EpaymentEnvironment = (typeof epaymentEnvironments)[number];

/** One host for every country and both brands (document 5, section 1.1). */
export const epaymentService = {
  name: 'Vipps MobilePay',
  environments: { production: 'https://api.vipps.no', test: 'https://apitest.vipps.no' },
} as const satisfies {
  readonly name: string;
  readonly environments: Readonly<Record<EpaymentEnvironment, string>>;
};

/** Where sales units of the ePayment service can be. */
export const countries = ['DK', 'FI', 'NO'] as const;
export type Country = (typeof countries)[number];
export const currencyOfCountry: Readonly<Record<Country, Currency>> = {
  DK: 'DKK',
  FI: 'EUR',
  NO: 'NOK',
};
