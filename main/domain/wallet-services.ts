/** The wallet services that setup offers by name, with the addresses that an installer would otherwise have to type. */

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

/** As published with documents 2 and 3: `servers` of `openapi/pos.yaml` and `openapi/reporting.yaml`, "Environments" of `docs/pos/authentication.md`. */
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
