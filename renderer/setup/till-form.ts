import {
  formatOf,
  isOfThisMachineAlone,
  isPrintableAscii,
  type LineProtocol,
  maxOrigins,
  maxTillAddresses,
  NexoPassphrase,
  PoiId,
  profileOf,
  type SerialFormat,
  type WholeSerialFormat,
  TillAddress,
  TillApi,
  TillInput,
  TillLine,
  TillPassword,
  type TillProfileId,
  tillProfileIds,
  type TillView,
  defaultPorts,
  webOrigin,
} from '../../preload/procedures/setup-fields.ts';
import { serialFields, tcpFields, zvtFields } from '../../preload/procedures/setup-till-fields.ts';
import { formatAmount, type Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';
import { setupTexts } from '../locales/setup.ts';
import { parseMoney } from '../locales/parse-money.ts';
import { otherPort, type PortForm } from './ports-choice.ts';
import { fieldAnswers, type FieldsForm, fieldsForm } from './setup-field-form.ts';

export type TokenScope = 'pay' | 'refund' | 'read';

/** The fields of a till's line whose inputs follow from their declarations. */
const lineFields = { ...serialFields, ...tcpFields, ...zvtFields };

/** The form of a till, without its password. */
export interface TillForm extends PortForm, WholeSerialFormat, FieldsForm<typeof lineFields> {
  transport: 'serial' | 'tcp' | 'http';
  /** The line protocol; not used by a till over HTTP. */
  protocol: LineProtocol;
  /** Allowed addresses of the till, one in each line or separated by commas. */
  from: string;
  /** `usual` is the default of the settings, see `TillLine`. */
  refunds: 'usual' | 'yes' | 'no' | 'upTo';
  /** The limit of `upTo` as typed, in major units of the lane's currency. */
  refundLimit: string;
  /** Empty when no profile is chosen. */
  profile: TillProfileId | '';
  record: 'asked' | 'week' | 'always' | 'until';
  /** The time of `until`, as it is stored. */
  recordUntil: string;
  /** Address at which a till over HTTP finds this computer; empty while it is not known. */
  apiHost: string;
  apiPort: string;
  certificate: string;
  key: string;
  /** Allowed origins of web pages, one in each line or separated by commas. */
  origins: string;
  httpProtocol: 'api' | 'nexo';
  /** The POIID by which a till over Nexo addresses this terminal. */
  poiId: string;
  /** Whether the till and the terminal share a key. Otherwise the till sends a token. */
  hasKey: boolean;
  keyIdentifier: string;
  keyVersion: string;
  /** Name of the token that is to be created. */
  tokenName: string;
  tokenScopes: readonly TokenScope[];
  /** Whether the stored password is to be removed. */
  withoutPassword: boolean;
}

/** Settings may name it. The form has a field for stop bits, which says the same. */
const stopBitsProfile: TillProfileId = 'oneStopBit';
/** The profiles that the form offers. */
export const offeredProfileIds = tillProfileIds.filter((id) => id !== stopBitsProfile);

type LineAsked = Exclude<TillInput, { transport: 'http' }>;

/** A till that requests payments must also read their results. */
const defaultScopes: readonly TokenScope[] = ['pay', 'read'];
const weekMs = 7 * 24 * 60 * 60_000;
const defaultStopBits = (protocol: LineProtocol): TillForm['stopBits'] =>
  protocol === 'concert' ? 1 : profileOf({}).stopBits;

/** @param kept null when nothing is saved yet */
export function formOf(kept: TillView | null, language: Language): TillForm {
  const blank: TillForm = {
    transport: 'serial',
    protocol: 'zvt',
    path: null,
    otherPath: '',
    ...fieldsForm(lineFields, null),
    ...formatOf({}),
    from: '',
    refunds: 'usual',
    refundLimit: '',
    profile: '',
    record: 'asked',
    recordUntil: '',
    apiHost: '',
    apiPort: '',
    certificate: '',
    key: '',
    origins: '',
    httpProtocol: 'api',
    poiId: '',
    hasKey: true,
    keyIdentifier: 'tillbeacon',
    keyVersion: '1',
    tokenName: '',
    tokenScopes: defaultScopes,
    withoutPassword: false,
  };
  if (kept === null) return blank;
  if (kept.transport === 'http')
    return { ...blank, transport: 'http', ...apiForm(kept), ...nexoForm(kept) };
  const { refunds, record, protocol } = kept;
  const profile = kept.profile === stopBitsProfile ? null : kept.profile;
  const form: TillForm = {
    ...blank,
    ...fieldsForm(lineFields, {
      port: defaultPorts[protocol],
      stopBits: defaultStopBits(protocol),
      ...kept,
    }),
    protocol,
    profile: profile ?? '',
    record: record === null ? 'asked' : record === true ? 'always' : 'until',
    recordUntil: typeof record === 'string' ? record : '',
    refunds:
      refunds === null ? 'usual' : refunds === true ? 'yes' : refunds === false ? 'no' : 'upTo',
    refundLimit: typeof refunds === 'number' ? formatAmount(language, refunds) : '',
  };
  if (kept.transport === 'tcp') return { ...form, transport: 'tcp', from: kept.from.join('\n') };
  const { path } = kept;
  return { ...form, transport: 'serial', path, otherPath: path, ...formatOf(kept) };
}

export const apiForm = ({
  host,
  port,
  tls,
  origins,
}: TillApi): Pick<TillForm, 'apiHost' | 'apiPort' | 'certificate' | 'key' | 'origins'> => ({
  apiHost: host,
  apiPort: String(port),
  certificate: tls?.certificate ?? '',
  key: tls?.key ?? '',
  origins: origins.join('\n'),
});

function nexoForm({ nexo }: Extract<TillView, { transport: 'http' }>): Partial<TillForm> {
  if (nexo === null) return {};
  const { poiId, key } = nexo;
  return {
    httpProtocol: 'nexo',
    poiId,
    hasKey: key !== null,
    ...(key !== null && { keyIdentifier: key.identifier, keyVersion: String(key.version) }),
  };
}

/**
 * Whether the till sends a token: a till over HTTP does, unless it shares a key with the terminal.
 */
export const bringsToken = ({ httpProtocol, hasKey }: TillForm): boolean =>
  httpProtocol === 'api' || !hasKey;

/**
 * The rules that are broken, by field. @param passphrase as typed @param hasPassphrase whether one
 * is stored
 */
export function nexoProblems(
  form: TillForm,
  passphrase: string,
  hasPassphrase: boolean,
  language: Language,
): Record<'poiId' | 'keyIdentifier' | 'keyVersion' | 'passphrase', string | null> {
  const texts = setupTexts[language].nexo;
  const isNexo = form.httpProtocol === 'nexo';
  const hasKey = isNexo && form.hasKey;
  const isPassphrase =
    passphrase === '' ? hasPassphrase : NexoPassphrase.safeParse(passphrase).success;
  const length = form.keyIdentifier.trim().length;
  return {
    poiId: !isNexo || PoiId.safeParse(form.poiId).success ? null : texts.poiIdRule,
    keyIdentifier: !hasKey || (length > 0 && length <= 128) ? null : texts.identifierRule,
    keyVersion: !hasKey || /^\d{1,9}$/.test(form.keyVersion.trim()) ? null : texts.versionRule,
    passphrase:
      !hasKey || isPassphrase
        ? null
        : isPrintableAscii(passphrase)
          ? texts.passphraseRule
          : texts.passphraseLetters,
  };
}

/** The address for tills over HTTP; null when it is incomplete or invalid. */
export function apiOf({ apiHost, apiPort, certificate, key, origins }: TillForm): TillApi | null {
  const isEncrypted = !isOfThisMachineAlone(apiHost.trim());
  const parsed = TillApi.safeParse({
    host: apiHost,
    port: /^\d{1,5}$/.test(apiPort.trim()) ? Number(apiPort) : Number.NaN,
    tls:
      isEncrypted && (certificate.trim() !== '' || key.trim() !== '') ? { certificate, key } : null,
    origins: addressesIn(origins),
  });
  return parsed.success ? parsed.data : null;
}

/** The till's connection; null when it is incomplete or invalid, or for a till over HTTP. */
export function lineOf(form: TillForm): TillLine | null {
  const { transport, protocol, path, dataBits, parity, from } = form;
  if (transport === 'http' || (transport === 'serial' && (path === null || path === otherPort)))
    return null;
  const parsed = TillLine.safeParse(
    transport === 'serial'
      ? {
          ...fieldAnswers(serialFields, form),
          transport,
          protocol,
          path,
          ...notUsual({ dataBits, parity }),
        }
      : { ...fieldAnswers(tcpFields, form), transport, protocol, from: addressesIn(from) },
  );
  return parsed.success ? parsed.data : null;
}

export const formatName = (language: Language, { dataBits, parity }: WholeSerialFormat): string =>
  setupTexts[language].till.formats({
    bits: String(dataBits),
    parity: parity === 'none' ? 'other' : parity,
  });

/** What differs from the usual format, which is not saved. */
function notUsual({ dataBits, parity }: WholeSerialFormat): SerialFormat {
  const usual = formatOf({});
  return {
    ...(dataBits !== usual.dataBits && { dataBits }),
    ...(parity !== usual.parity && { parity }),
  };
}

/**
 * The form as sent to the daemon; null when it is incomplete or invalid.
 * @param password as typed, or for Nexo the passphrase; empty keeps the stored one unless it is to
 * be removed
 * @param nowMs the time at which a week of recording starts
 */
export function tillInput(
  form: TillForm,
  password: string,
  language: Language,
  nowMs: number,
): TillInput | null {
  if (form.transport === 'http') {
    const { poiId, keyIdentifier, keyVersion } = form;
    const key = form.hasKey
      ? { identifier: keyIdentifier, version: Number(keyVersion), passphrase: password || null }
      : null;
    const parsed = TillInput.safeParse({
      ...apiOf(form),
      transport: 'http',
      nexo: form.httpProtocol === 'nexo' ? { poiId, key } : null,
    });
    return apiOf(form) !== null && parsed.success ? parsed.data : null;
  }
  const line = lineOf(form);
  const ofZvt = {
    ...fieldAnswers(zvtFields, form),
    refunds: refundsOf(form, language),
    record: recordOf(form, nowMs),
    profile: form.profile || null,
    password: password || (form.withoutPassword ? '' : null),
  };
  const parsed = TillInput.safeParse({ ...line, ...(form.protocol === 'zvt' && ofZvt) });
  return line !== null && parsed.success ? parsed.data : null;
}

function refundsOf(
  { refunds, refundLimit }: TillForm,
  language: Language,
): LineAsked['refunds'] | undefined {
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

function recordOf({ record, recordUntil }: TillForm, nowMs: number): LineAsked['record'] {
  switch (record) {
    case 'asked':
      return null;
    case 'always':
      return true;
    case 'week':
      return new Date(nowMs + weekMs).toISOString();
    case 'until':
      return recordUntil;
  }
}

/**
 * The fields that change together with the protocol, unless somebody has changed them from their
 * defaults.
 */
export function withProtocol(form: TillForm, protocol: LineProtocol): Partial<TillForm> {
  return {
    protocol,
    // A byte of ZVT has eight bits.
    ...(protocol === 'zvt' && form.dataBits === 7 && formatOf({})),
    ...(form.port === String(defaultPorts[form.protocol]) && {
      port: String(defaultPorts[protocol]),
    }),
    ...(form.stopBits === defaultStopBits(form.protocol) && {
      stopBits: defaultStopBits(protocol),
    }),
  };
}

/** Whether other machines can reach the port. */
export function isOpenToNetwork({
  transport,
  host,
}: Pick<TillForm, 'transport' | 'host'>): boolean {
  return transport === 'tcp' && host.trim() !== '' && !isOfThisMachineAlone(host.trim());
}

/**
 * The choices for refunds at the till. `usual` allows refunds where no other machine can reach the
 * connection, and needs the password otherwise.
 */
export function refundChoices(
  form: TillForm,
): { value: TillForm['refunds']; says: 'withPassword' | 'yes' | 'no' | 'upTo' }[] {
  const isOpen = isOpenToNetwork(form);
  return [
    ...(isOpen ? [{ value: 'usual', says: 'withPassword' } as const] : []),
    { value: isOpen || form.refunds === 'yes' ? 'yes' : 'usual', says: 'yes' },
    { value: 'no', says: 'no' },
    { value: 'upTo', says: 'upTo' },
  ];
}

/** The rules that are broken, by field. */
export function securityProblems(
  form: TillForm,
  password: string,
  language: Language,
): Record<'tillPassword' | 'refundLimit' | 'from', string | null> {
  const texts = setupTexts[language].security;
  if (form.transport === 'http') return { tillPassword: null, refundLimit: null, from: null };
  if (form.protocol === 'concert')
    return {
      tillPassword: null,
      refundLimit: null,
      from: form.transport === 'tcp' ? fromProblem(form.from, language) : null,
    };
  return {
    tillPassword:
      password === '' || TillPassword.safeParse(password).success ? null : texts.passwordRule,
    refundLimit: form.refunds === 'upTo' ? limitProblem(form.refundLimit, language) : null,
    from: form.transport === 'tcp' ? fromProblem(form.from, language) : null,
  };
}

function limitProblem(typed: string, language: Language): string | null {
  const { amountMinor, problem } = parseMoney(language, typed);
  if (problem !== null) return screenTexts[language].design.money[problem];
  return amountMinor === 0 ? screenTexts[language].design.money.nothing : null;
}

function fromProblem(typed: string, language: Language): string | null {
  const texts = setupTexts[language].security;
  const addresses = addressesIn(typed);
  const wrong = addresses.find((address) => !TillAddress.safeParse(address).success);
  if (wrong !== undefined) return texts.fromRule({ wrong });
  return addresses.length > maxTillAddresses ? texts.fromTooMany({ most: maxTillAddresses }) : null;
}

export function originsProblem(typed: string, language: Language): string | null {
  const texts = setupTexts[language];
  const origins = addressesIn(typed);
  const wrong = origins.find((origin) => !webOrigin.safeParse(origin).success);
  if (wrong !== undefined) return texts.api.originsRule({ wrong });
  return origins.length > maxOrigins ? texts.security.fromTooMany({ most: maxOrigins }) : null;
}

function addressesIn(typed: string): string[] {
  return typed.split(/[\s,;]+/).filter((address) => address !== '');
}
