/**
 * A till as the draft keeps it: with its password, which goes in and never comes out, and what
 * setup does not ask.
 */
import { z } from 'zod';
import {
  type TillApi,
  type TillInput,
  TillShown,
  tillWith,
  httpWith,
} from '../../../preload/procedures/setup-fields.ts';
import { changedFrom } from '../../../preload/procedures/setup-field.ts';
import { zvtFields } from '../../../preload/procedures/setup-till-fields.ts';
import {
  deviationSettings,
  profileOf,
  terminalIdSetting,
} from '../../core/domain/till-profiles.ts';
import {
  type ApiSettings,
  defaultApi,
  type LaneSettings,
  type Settings,
} from '../settings/schema.ts';
import { SecretTillPassword } from '../settings/wallet.ts';
import { Secret } from '../../support/settings/secrets.ts';

const zvtSettings = { ...deviationSettings, terminalId: terminalIdSetting };
/** The settings of ZVT that setup keeps without asking for them. */
export const deviationsNotAsked = Object.fromEntries(
  Object.entries(zvtSettings).filter(([name]) => !(name in zvtFields)),
) as Omit<typeof zvtSettings, keyof typeof zvtFields>;
const NotAsked = z.object(deviationsNotAsked);
const ofHttp = {
  ...httpWith({ passphrase: Secret.nullable() }),
  names: z.array(z.string()).default([]),
};
export const KeptTill = tillWith(
  { password: SecretTillPassword.nullable().default(null), ...deviationsNotAsked },
  ofHttp,
);
export type KeptTill = z.infer<typeof KeptTill>;
type KeptLine = Exclude<KeptTill, { transport: 'http' }>;
export type KeptHttpTill = Extract<KeptTill, { transport: 'http' }>;

/** @param api as in the settings; the usual one by default */
export function keptTill(till: LaneSettings['till'], api: ApiSettings = defaultApi): KeptTill {
  if (till.protocol === 'http')
    return { ...keptApi(api), transport: 'http', nexo: keptNexo(till.nexo), names: api.names };
  return KeptTill.parse(
    till.protocol === 'zvt' ? { ...till, stopBits: profileOf(till).stopBits } : till,
  );
}

export const keptApi = ({ host, port, tls, origins }: ApiSettings = defaultApi): TillApi => ({
  host,
  port,
  origins,
  tls: tls === undefined ? null : { certificate: tls.certificate, key: tls.key.file },
});

function keptNexo(
  nexo: Extract<LaneSettings['till'], { protocol: 'http' }>['nexo'],
): KeptHttpTill['nexo'] {
  return nexo === undefined ? null : { poiId: nexo.poiId, key: nexo.key ?? null };
}

/** A till of Nexo whose passphrase is not known here, because it came from a file. */
export const lacksPassphrase = (till: KeptTill): boolean =>
  till.transport === 'http' && till.nexo?.key != null && till.nexo.key.passphrase === null;

/** A till that is a program brings a token unless it shares a key. */
export const bringsToken = (till: KeptTill): boolean =>
  till.transport === 'http' && till.nexo?.key == null;

/** What setup does not ask, and keeps. */
export const notAskedOf = (till: KeptTill | null | undefined): z.infer<typeof NotAsked> =>
  NotAsked.parse(till ?? {});

/** @param before its password is kept unless a new one was entered, and what setup does not ask */
export function keptOf(asked: TillInput, before: KeptTill | null): KeptTill {
  if (asked.transport === 'http') return { ...asked, nexo: nexoOf(asked.nexo, before), names: [] };
  const known = before?.transport === 'http' ? null : (before?.password ?? null);
  const { password } = asked;
  return {
    ...asked,
    password: password === '' ? null : (password ?? known),
    ...notAskedOf(before),
  };
}

function nexoOf(
  asked: Extract<TillInput, { transport: 'http' }>['nexo'],
  before: KeptTill | null,
): KeptHttpTill['nexo'] {
  if (asked?.key == null) return asked && { ...asked, key: null };
  const known = before?.transport === 'http' ? (before.nexo?.key?.passphrase ?? null) : null;
  return { ...asked, key: { ...asked.key, passphrase: asked.key.passphrase ?? known } };
}

export function shownTill(kept: KeptTill): TillShown {
  if (kept.transport !== 'http')
    return TillShown.parse({ ...kept, hasPassword: kept.password !== null });
  const { nexo } = kept;
  return TillShown.parse({
    ...kept,
    nexo: nexo && {
      ...nexo,
      key: nexo.key && { ...nexo.key, hasPassphrase: nexo.key.passphrase !== null },
    },
  });
}

/**
 * Where tills that are programs find this computer. @param inUse what setup does not ask stays as
 * it is there
 */
export function apiSettings(
  { host, port, tls, origins, names }: KeptHttpTill,
  inUse: Settings['api'],
): ApiSettings {
  const { tls: _before, ...kept } = inUse ?? defaultApi;
  return {
    ...kept,
    host,
    port,
    origins,
    names: [...new Set([...names, ...kept.names])],
    ...(tls !== null && { tls: { certificate: tls.certificate, key: { file: tls.key } } }),
  };
}

export function tillSettings(kept: KeptTill): LaneSettings['till'] {
  if (kept.transport !== 'http') return lineSettings(kept);
  const { nexo } = kept;
  if (nexo === null) return { protocol: 'http' };
  if (nexo.key === null) return { protocol: 'http', nexo: { poiId: nexo.poiId } };
  const { passphrase, ...key } = nexo.key;
  if (passphrase === null) throw new Error('the till’s shared key has no passphrase yet');
  return { protocol: 'http', nexo: { poiId: nexo.poiId, key: { ...key, passphrase } } };
}

function lineSettings(kept: KeptLine): LaneSettings['till'] {
  const { protocol, password } = kept;
  // Without what a till may do besides paying: of Concert it can nothing else.
  const allowed =
    protocol === 'concert'
      ? { protocol }
      : {
          protocol,
          ...(password !== null && { password }),
          ...changedFrom(zvtFields, kept),
          ...notAskedOf(kept),
        };
  if (kept.transport === 'tcp') {
    const { transport, host, port, from } = kept;
    return { transport, host, port, ...allowed, ...(from.length > 0 && { from }) };
  }
  const { transport, path, baudRate, stopBits, dataBits, parity } = kept;
  const line = { transport, path, baudRate, ...(parity !== undefined && { parity }) };
  if (allowed.protocol === 'concert')
    return { ...line, stopBits, ...(dataBits !== undefined && { dataBits }), ...allowed };
  // A byte of ZVT has eight bits. Stop bits that are those of the profile follow it when another
  // profile is chosen.
  const isOfProfile = stopBits === profileOf({ profile: kept.profile ?? undefined }).stopBits;
  return { ...line, ...allowed, ...(!isOfProfile && { stopBits }) };
}
