import {
  addressProblem,
  type Country,
  type Environment,
  type ServiceAsked,
  type WalletServiceName,
  walletServiceNames,
  walletServices,
  type WalletShown,
} from '../../preload/procedures/setup-fields.ts';
import type { SetupTexts } from '../locales/setup.ts';

/** The form of the wallet, without its secrets. */
export interface WalletForm {
  /** epayment: the sales unit's keys are asked for. other: a service that is not known by name. */
  service: WalletServiceName | 'epayment' | 'other' | 'simulator';
  environment: Environment;
  /** This and what follows to `profile`: of another service; a known one has its own. */
  baseUrl: string;
  /** Empty: as `baseUrl`. */
  authUrl: string;
  reportingUrl: string;
  profile: ServiceAsked['profile'];
  clientId: string;
  tokenFor: ServiceAsked['tokenFor'];
  /** These two: of the ePayment service, beside the client. */
  merchantSerialNumber: string;
  country: Country;
}

/** The secrets as typed; empty: those that the daemon has. */
export interface WalletSecrets {
  readonly clientSecret: string;
  readonly reportingKey: string;
  readonly subscriptionKey: string;
}

/** A service with addresses of its own is not taken for a known one: nothing is changed that nobody has touched. */
export function formOf(kept: WalletShown | null): WalletForm {
  const blank: WalletForm = {
    service: 'epayment',
    environment: 'production',
    baseUrl: '',
    authUrl: '',
    reportingUrl: '',
    profile: 'generic',
    clientId: '',
    tokenFor: 'merchant',
    merchantSerialNumber: '',
    country: 'DK',
  };
  if (kept === null) return blank;
  if (kept.kind === 'simulator') return { ...blank, service: 'simulator' };
  if (kept.kind === 'epayment') {
    const { environment, clientId, merchantSerialNumber, country } = kept;
    return { ...blank, service: 'epayment', environment: environment === 'test' ? 'sandbox' : 'production', clientId, merchantSerialNumber, country };
  }
  const { baseUrl, authUrl, reportingUrl, profile, clientId, tokenFor, testService } = kept;
  const form: WalletForm = { ...blank, environment: testService ? 'sandbox' : 'production', clientId, tokenFor };
  const known = walletServiceNames.find((service) => {
    const its = addressesOf({ ...form, service });
    return its.baseUrl === baseUrl && its.authUrl === authUrl && its.reportingUrl === reportingUrl && its.profile === profile;
  });
  if (known !== undefined) return { ...form, service: known };
  return { ...form, service: 'other', baseUrl, authUrl: authUrl === baseUrl ? '' : authUrl, reportingUrl: reportingUrl ?? '', profile };
}

/** The addresses and names in use: without an address of its own, the token service is at the service's address. */
export function addressesOf({ service, environment, ...typed }: WalletForm): Pick<ServiceAsked, 'baseUrl' | 'authUrl' | 'reportingUrl' | 'profile'> {
  if (service !== 'other' && service !== 'simulator' && service !== 'epayment') {
    const { profile, environments: at } = walletServices[service];
    return { ...at[environment], profile };
  }
  const { baseUrl, authUrl, reportingUrl, profile } = typed;
  return { baseUrl: baseUrl.trim(), authUrl: (authUrl.trim() || baseUrl).trim(), reportingUrl: reportingUrl.trim() || null, profile };
}

/** The daemon has the secret of this client already. It sends it to no other address. */
export function hasSecret(form: WalletForm, kept: WalletShown | null): boolean {
  if (kept?.kind !== 'service' || !kept.hasSecret) return false;
  const { baseUrl, authUrl } = addressesOf(form);
  return kept.clientId === form.clientId.trim() && kept.baseUrl === baseUrl && kept.authUrl === authUrl;
}

/** The daemon has the reporting key of this client at this address already. */
export function hasReportingKey(form: WalletForm, kept: WalletShown | null): boolean {
  return kept?.kind === 'service' && kept.hasReportingKey && hasSecret(form, kept) && kept.reportingUrl === addressesOf(form).reportingUrl;
}

/** The problems, by field. */
export function formProblems(
  form: WalletForm,
  secrets: WalletSecrets,
  kept: WalletShown | null,
  { wallet }: SetupTexts,
): Record<'baseUrl' | 'authUrl' | 'clientId' | 'clientSecret' | 'reportingUrl', string | null> {
  const address = (text: string, missing: string | null): string | null => {
    if (form.service !== 'other') return null;
    if (text.trim() === '') return missing;
    const problem = addressProblem(text.trim());
    return problem && wallet.address[problem];
  };
  return {
    baseUrl: address(form.baseUrl, wallet.addressMissing),
    authUrl: address(form.authUrl, null),
    clientId: form.clientId.trim() === '' ? wallet.clientIdMissing : null,
    clientSecret: secrets.clientSecret === '' && !hasSecret(form, kept) ? wallet.secretMissing : null,
    reportingUrl: address(form.reportingUrl, null),
  };
}

/** @param form of a service, without problems */
export function asAsked(form: WalletForm, { clientSecret, reportingKey }: WalletSecrets): ServiceAsked {
  return {
    kind: 'service',
    ...addressesOf(form),
    clientId: form.clientId.trim(),
    clientSecret: clientSecret === '' ? null : clientSecret,
    tokenFor: form.tokenFor,
    reportingKey: reportingKey === '' ? null : reportingKey,
    testService: form.environment === 'sandbox',
  };
}
