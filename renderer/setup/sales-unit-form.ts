import { SalesUnitInput, type WalletView } from '../../preload/procedures/setup-fields.ts';
import type { SetupTexts } from '../locales/setup.ts';
import type { WalletForm, WalletSecrets } from './wallet-form.ts';

const environmentOf = ({ environment }: WalletForm): SalesUnitInput['environment'] =>
  environment === 'sandbox' ? 'test' : 'production';

/** Whether the daemon has the keys of this sales unit already. */
export function hasKeys(form: WalletForm, kept: WalletView | null): boolean {
  if (kept?.kind !== 'epayment' || !kept.hasSecret) return false;
  return (
    kept.clientId === form.clientId.trim() &&
    kept.environment === environmentOf(form) &&
    kept.merchantSerialNumber === form.merchantSerialNumber.trim()
  );
}

/** The rules that are broken, by field. */
export function salesUnitProblems(
  form: WalletForm,
  secrets: WalletSecrets,
  kept: WalletView | null,
  { wallet }: SetupTexts,
): Record<'clientId' | 'clientSecret' | 'subscriptionKey' | 'merchantSerialNumber', string | null> {
  const { merchantSerialNumber, clientId, clientSecret, subscriptionKey } = SalesUnitInput.shape;
  const hasStoredKeys = hasKeys(form, kept);
  const key = (text: string, rule: typeof clientSecret, missing: string): string | null => {
    if (text.trim() === '') return hasStoredKeys ? null : missing;
    return rule.safeParse(text).success ? null : wallet.keyRule;
  };
  return {
    merchantSerialNumber: merchantSerialNumber.safeParse(form.merchantSerialNumber).success
      ? null
      : wallet.msnRule,
    clientId:
      form.clientId.trim() === ''
        ? wallet.clientIdMissing
        : clientId.safeParse(form.clientId).success
          ? null
          : wallet.keyRule,
    clientSecret: key(secrets.clientSecret, clientSecret, wallet.secretMissing),
    subscriptionKey: key(secrets.subscriptionKey, subscriptionKey, wallet.subscriptionKeyMissing),
  };
}

/** @param form of a sales unit, without problems */
export function salesUnitInput(
  form: WalletForm,
  { clientSecret, subscriptionKey }: WalletSecrets,
  kept: WalletView | null,
): SalesUnitInput {
  const typed = (text: string): string | null => (text.trim() === '' ? null : text.trim());
  return {
    kind: 'epayment',
    environment: environmentOf(form),
    country: form.country,
    merchantSerialNumber: form.merchantSerialNumber.trim(),
    clientId: form.clientId.trim(),
    clientSecret: typed(clientSecret),
    subscriptionKey: typed(subscriptionKey),
    baseUrl: kept?.kind === 'epayment' ? kept.baseUrl : null,
  };
}
