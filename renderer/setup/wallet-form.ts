import {
  addressProblem,
  type Country,
  type Environment,
  type ServiceInput,
  type WalletServiceName,
  walletServiceNames,
  walletServices,
  type WalletView,
} from '../../preload/procedures/setup-fields.ts';
import type { SetupTexts } from '../locales/setup.ts';

/** The form of the wallet, without its secrets. */
export interface WalletForm {
  /**
   * `epayment` asks for the keys of a sales unit; `other` is a service that is not known by name.
   */
  service: WalletServiceName | 'epayment' | 'other' | 'simulator';
  environment: Environment;
  /**
   * The addresses and the profile are typed for `other` only; they are fixed for a known service.
   */
  baseUrl: string;
  /** Empty for the same as `baseUrl`. */
  authUrl: string;
  reportingUrl: string;
  profile: ServiceInput['profile'];
  clientId: string;
  tokenFor: ServiceInput['tokenFor'];
  /** The serial number and the country are needed by the ePayment service only. */
  merchantSerialNumber: string;
  country: Country;
}

/** The secrets as typed; empty for the ones that the daemon has stored. */
export interface WalletSecrets {
  readonly clientSecret: string;
  readonly reportingKey: string;
  readonly subscriptionKey: string;
}

/**
 * A stored service whose addresses differ from the known ones becomes `other`, so that saving
 * changes no address unasked.
 */
export function formOf(kept: WalletView | null): WalletForm {
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
    return {
      ...blank,
      service: 'epayment',
      environment: environment === 'test' ? 'sandbox' : 'production',
      clientId,
      merchantSerialNumber,
      country,
    };
  }
  const { baseUrl, authUrl, reportingUrl, profile, clientId, tokenFor, testService } = kept;
  const form: WalletForm = {
    ...blank,
    environment: testService ? 'sandbox' : 'production',
    clientId,
    tokenFor,
  };
  const known = walletServiceNames.find((service) => {
    const its = addressesOf({ ...form, service });
    return (
      its.baseUrl === baseUrl &&
      its.authUrl === authUrl &&
      its.reportingUrl === reportingUrl &&
      its.profile === profile
    );
  });
  if (known !== undefined) return { ...form, service: known };
  return {
    ...form,
    service: 'other',
    baseUrl,
    authUrl: authUrl === baseUrl ? '' : authUrl,
    reportingUrl: reportingUrl ?? '',
    profile,
  };
}

/**
 * The addresses and the profile of the chosen service. Without its own address, the token service
 * is at the service's address.
 */
export function addressesOf({
  service,
  environment,
  ...typed
}: WalletForm): Pick<ServiceInput, 'baseUrl' | 'authUrl' | 'reportingUrl' | 'profile'> {
  if (service !== 'other' && service !== 'simulator' && service !== 'epayment') {
    const { profile, environments: at } = walletServices[service];
    return { ...at[environment], profile };
  }
  const { baseUrl, authUrl, reportingUrl, profile } = typed;
  return {
    baseUrl: baseUrl.trim(),
    authUrl: (authUrl.trim() || baseUrl).trim(),
    reportingUrl: reportingUrl.trim() || null,
    profile,
  };
}

/**
 * Whether the daemon has the secret of this client at this address: it sends a stored secret to no
 * other address.
 */
export function hasSecret(form: WalletForm, kept: WalletView | null): boolean {
  if (kept?.kind !== 'service' || !kept.hasSecret) return false;
  const { baseUrl, authUrl } = addressesOf(form);
  return (
    kept.clientId === form.clientId.trim() && kept.baseUrl === baseUrl && kept.authUrl === authUrl
  );
}

/** Whether the daemon has the reporting key of this client at this address already. */
export function hasReportingKey(form: WalletForm, kept: WalletView | null): boolean {
  return (
    kept?.kind === 'service' &&
    kept.hasReportingKey &&
    hasSecret(form, kept) &&
    kept.reportingUrl === addressesOf(form).reportingUrl
  );
}

/** The rules that are broken, by field. */
export function formProblems(
  form: WalletForm,
  secrets: WalletSecrets,
  kept: WalletView | null,
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
    clientSecret:
      secrets.clientSecret === '' && !hasSecret(form, kept) ? wallet.secretMissing : null,
    reportingUrl: address(form.reportingUrl, null),
  };
}

/** @param form of a service, without problems */
export function serviceInput(
  form: WalletForm,
  { clientSecret, reportingKey }: WalletSecrets,
): ServiceInput {
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
