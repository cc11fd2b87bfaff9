import { describe, expect, test } from 'vitest';
import { profileNamed } from '../../../../main/wallets/v10/v10-profile.ts';
import {
  environments,
  ServiceInput,
  type WalletView,
  walletServiceNames,
  walletServices,
} from '../../../../preload/procedures/setup-fields.ts';
import { setupTexts } from '../../../../renderer/locales/setup.ts';
import {
  addressesOf,
  serviceInput,
  formOf,
  formProblems,
  hasReportingKey,
  hasSecret,
  type WalletForm,
} from '../../../../renderer/setup/wallet-form.ts';

const { en } = setupTexts;
type ServiceShown = Extract<WalletView, { kind: 'service' }>;
const noSecrets = { clientSecret: '', reportingKey: '', subscriptionKey: '' };
const typed = { clientSecret: 'secret', reportingKey: '', subscriptionKey: '' };
const own: ServiceShown = {
  kind: 'service',
  baseUrl: 'https://api.example',
  authUrl: 'https://auth.example',
  clientId: 'me',
  tokenFor: 'integrator',
  profile: 'mobilepay',
  reportingUrl: null,
  testService: true,
  hasSecret: true,
  hasReportingKey: true,
  provenAtMs: null,
};
/** The settings as the daemon shows them after saving this form. */
const shown = (form: WalletForm): ServiceShown => {
  const { clientSecret: _secret, reportingKey: _key, ...asked } = serviceInput(form, typed);
  return { ...asked, hasSecret: true, hasReportingKey: true, provenAtMs: null };
};
const problems = (
  form: WalletForm,
  secrets = noSecrets,
  kept: WalletView | null = null,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(formProblems(form, secrets, kept, en)).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    ),
  );

describe('a wallet service that is known by its name', () => {
  test('is the first choice, today’s before the one that it succeeds, for production, and nothing but the credentials is to be typed', () => {
    expect(formOf(null)).toMatchObject({ service: 'epayment', environment: 'production' });
    const before = { ...formOf(null), service: 'mobilepay' } as const;
    expect(Object.keys(problems(before))).toEqual(['clientId', 'clientSecret']);
    expect(problems({ ...before, clientId: 'me' }, typed)).toEqual({});
  });

  test.each(
    walletServiceNames.flatMap((service) =>
      environments.map((environment) => ({ service, environment })),
    ),
  )(
    'fills in valid addresses and its names: $service, $environment; and is known again by them',
    ({ service, environment }) => {
      const form = { ...formOf(null), service, environment, clientId: 'me' };
      const asked = ServiceInput.parse(serviceInput(form, typed));
      expect(asked).toMatchObject({
        ...walletServices[service].environments[environment],
        testService: environment === 'sandbox',
        clientSecret: 'secret',
      });
      expect(profileNamed(asked.profile).name).toBe(walletServices[service].profile);
      expect(formOf(shown(form))).toEqual(form);
    },
  );

  test('asks production and the sandbox at different addresses, each by https', () => {
    for (const service of walletServiceNames) {
      const [production, sandbox] = environments.map((environment) =>
        addressesOf({ ...formOf(null), service, environment }),
      );
      expect(production?.baseUrl).not.toBe(sandbox?.baseUrl);
      expect(production?.authUrl).not.toBe(sandbox?.authUrl);
      for (const at of [production, sandbox])
        expect(
          [at?.baseUrl, at?.authUrl, at?.reportingUrl].every((url) => url?.startsWith('https://')),
        ).toBe(true);
    }
  });

  test('gets no secret of another environment', () => {
    const form: WalletForm = { ...formOf(null), service: 'mobilepay', clientId: 'me' };
    expect(hasSecret(form, shown(form))).toBe(true);
    expect(hasSecret({ ...form, environment: 'sandbox' }, shown(form))).toBe(false);
    expect(problems({ ...form, environment: 'sandbox' }, noSecrets, shown(form))).toEqual({
      clientSecret: en.wallet.secretMissing,
    });
  });
});

describe('another service', () => {
  test('comes back as it was when nothing is touched, whatever its addresses', () => {
    const known = walletServices.mobilepay.environments.production;
    for (const kept of [
      own,
      { ...own, testService: false, profile: 'generic' as const },
      // Settings of an earlier setup: the known service without its reporting address, or with the
      // other environment's flag.
      { ...own, ...known, reportingUrl: null, profile: 'mobilepay' as const, testService: false },
      { ...own, ...known, profile: 'mobilepay' as const, testService: true },
      { ...own, ...known, profile: 'generic' as const, testService: false },
    ]) {
      const form = formOf(kept);
      expect(form.service).toBe('other');
      expect(shown(form)).toEqual(kept);
      expect(problems(form, noSecrets, kept)).toEqual({});
    }
  });

  test('needs its address, and has each rule told at its field', () => {
    const form: WalletForm = { ...formOf(null), service: 'other', clientId: 'me' };
    expect(problems(form, typed)).toEqual({ baseUrl: en.wallet.addressMissing });
    const wrong = {
      ...form,
      baseUrl: 'http://api.example',
      authUrl: 'https://me:x@api.example',
      reportingUrl: 'reports',
    };
    expect(problems(wrong, typed)).toEqual({
      baseUrl: en.wallet.address.notSecure,
      authUrl: en.wallet.address.credentials,
      reportingUrl: en.wallet.address.notAnAddress,
    });
    // A mistake in the fields of another service is no problem of a known one.
    expect(problems({ ...wrong, service: 'mobilepay' }, typed)).toEqual({});
  });

  test('is asked for its tokens where it is, unless they have an address of their own', () => {
    const form: WalletForm = {
      ...formOf(null),
      service: 'other',
      baseUrl: ' https://api.example ',
      clientId: ' me ',
    };
    expect(serviceInput(form, typed)).toMatchObject({
      baseUrl: 'https://api.example',
      authUrl: 'https://api.example',
      reportingUrl: null,
      clientId: 'me',
    });
  });

  test('keeps its reporting key at its own address alone', () => {
    expect(hasReportingKey(formOf(own), own)).toBe(true);
    expect(hasReportingKey({ ...formOf(own), reportingUrl: 'https://reports.example' }, own)).toBe(
      false,
    );
  });
});

test('a demonstration is chosen beside them', () =>
  expect(formOf({ kind: 'simulator' }).service).toBe('simulator'));
