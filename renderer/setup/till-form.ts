import { isOfThisMachineAlone, TillAddress, TillInput, TillLine, TillPassword, type TillShown } from '../../preload/procedures/setup-fields.ts';
import { formatAmount, type Language } from '../locales/i18n.ts';
import { managerTexts } from '../locales/manager.ts';
import { screenTexts } from '../locales/screens.ts';
import { setupTexts } from '../locales/setup.ts';
import { parseMoney } from '../locales/parse-money.ts';

/** The form of a till, without its password. */
export interface TillForm {
  transport: 'serial' | 'tcp';
  /** `otherPort`: the path typed in `otherPath`; null: none is picked. */
  path: string | null;
  otherPath: string;
  baudRate: number;
  stopBits: number;
  host: string;
  port: string;
  /** One for each line, or with commas. */
  from: string;
  /** usual: the default of the settings, see `TillLine`. */
  refunds: 'usual' | 'yes' | 'no' | 'upTo';
  /** The limit of `upTo`, in kroner or euro. */
  refundLimit: string;
  /** The stored password is to be removed. */
  withoutPassword: boolean;
}

export const otherPort = 'other';
const mostAddresses = 100;

/** @param kept null: nothing is saved yet */
export function formOf(kept: TillShown | null, language: Language): TillForm {
  const blank: TillForm = {
    transport: 'serial',
    path: null,
    otherPath: '',
    baudRate: 9600,
    stopBits: 2,
    host: '127.0.0.1',
    port: '20007',
    from: '',
    refunds: 'usual',
    refundLimit: '',
    withoutPassword: false,
  };
  if (kept === null) return blank;
  const { refunds } = kept;
  const form: TillForm = {
    ...blank,
    refunds: refunds === null ? 'usual' : refunds === true ? 'yes' : refunds === false ? 'no' : 'upTo',
    refundLimit: typeof refunds === 'number' ? formatAmount(language, refunds) : '',
  };
  if (kept.transport === 'tcp') return { ...form, transport: 'tcp', host: kept.host, port: String(kept.port), from: kept.from.join('\n') };
  const { path, baudRate, stopBits } = kept;
  return { ...form, transport: 'serial', path, otherPath: path, baudRate, stopBits };
}

/** The connection; null: incomplete or invalid. */
export function lineOf({ transport, path, baudRate, stopBits, host, port, from }: TillForm): TillLine | null {
  if (transport === 'serial' && (path === null || path === otherPort)) return null;
  const number = port.trim() === '' ? Number.NaN : Number(port);
  const parsed = TillLine.safeParse(
    transport === 'serial' ? { transport, path, baudRate, stopBits } : { transport, host: host.trim(), port: number, from: addressesIn(from) },
  );
  return parsed.success ? parsed.data : null;
}

/** null: incomplete or invalid. @param password as typed; empty: the stored one stays, unless it is to be removed */
export function asAsked(form: TillForm, password: string, language: Language): TillInput | null {
  const line = lineOf(form);
  const parsed = TillInput.safeParse({ ...line, refunds: refundsOf(form, language), password: password || (form.withoutPassword ? '' : null) });
  return line !== null && parsed.success ? parsed.data : null;
}

function refundsOf({ refunds, refundLimit }: TillForm, language: Language): TillInput['refunds'] | undefined {
  switch (refunds) {
    case 'usual':
      return null;
    case 'yes':
      return true;
    case 'no':
      return false;
    case 'upTo':
      return parseMoney(language, refundLimit).amountMinor ?? undefined;
  }
}

/** Whether other machines can reach the port. */
export function isOpenToNetwork({ transport, host }: Pick<TillForm, 'transport' | 'host'>): boolean {
  return transport === 'tcp' && host.trim() !== '' && !isOfThisMachineAlone(host);
}

/** Where no other machine can reach the till's connection, `usual` allows it. */
export function refundChoices(form: TillForm): { value: TillForm['refunds']; says: 'withPassword' | 'yes' | 'no' | 'upTo' }[] {
  const isOpen = isOpenToNetwork(form);
  return [
    ...(isOpen ? [{ value: 'usual', says: 'withPassword' } as const] : []),
    { value: isOpen || form.refunds === 'yes' ? 'yes' : 'usual', says: 'yes' },
    { value: 'no', says: 'no' },
    { value: 'upTo', says: 'upTo' },
  ];
}

/** The problems, by field. */
export function securityProblems(form: TillForm, password: string, language: Language): Record<'tillPassword' | 'refundLimit' | 'from', string | null> {
  const texts = setupTexts[language].security;
  return {
    tillPassword: password === '' || TillPassword.safeParse(password).success ? null : texts.passwordRule,
    refundLimit: form.refunds === 'upTo' ? limitProblem(form.refundLimit, language) : null,
    from: form.transport === 'tcp' ? fromProblem(form.from, language) : null,
  };
}

function limitProblem(typed: string, language: Language): string | null {
  const { amountMinor, problem } = parseMoney(language, typed);
  if (problem !== null) return screenTexts[language].design.money[problem];
  return amountMinor === 0 ? managerTexts[language].refunds.dialog.nothing : null;
}

function fromProblem(typed: string, language: Language): string | null {
  const texts = setupTexts[language].security;
  const addresses = addressesIn(typed);
  const wrong = addresses.find((address) => !TillAddress.safeParse(address).success);
  if (wrong !== undefined) return texts.fromRule({ wrong });
  return addresses.length > mostAddresses ? texts.fromTooMany({ most: mostAddresses }) : null;
}

function addressesIn(typed: string): string[] {
  return typed.split(/[\s,;]+/).filter((address) => address !== '');
}
