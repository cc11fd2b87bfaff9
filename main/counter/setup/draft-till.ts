/**
 * A till as the draft keeps it: with its password, which goes in and never comes out, and what
 * setup does not ask.
 */
import { z } from 'zod';
import {
  type TillApi,
  type TillInput,
  TillView,
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
import { Secret } from '../../support/settings/secrets.ts';
import { SecretTillPassword } from '../../tills/zvt/settings.ts';

const zvtSettings = { ...deviationSettings, terminalId: terminalIdSetting };
/** The settings of ZVT that setup keeps without asking for them. */
export const settingsOutsideSetup = Object.fromEntries(
  Object.entries(zvtSettings).filter(([name]) => !(name in zvtFields)),
) as Omit<typeof zvtSettings, keyof typeof zvtFields>;
const OutsideSetup = z.object(settingsOutsideSetup);
const ofHttp = {
  ...httpWith({ passphrase: Secret.nullable() }),
  names: z.array(z.string()).default([]),
};
export const DraftTill = tillWith(
  { password: SecretTillPassword.nullable().default(null), ...settingsOutsideSetup },
  ofHttp,
);
export type DraftTill = z.infer<typeof DraftTill>;
type DraftLine = Exclude<DraftTill, { transport: 'http' }>;
export type DraftHttpTill = Extract<DraftTill, { transport: 'http' }>;

/** @param api as in the settings; the usual one by default */
export function draftTill(till: LaneSettings['till'], api: ApiSettings = defaultApi): DraftTill {
  if (till.protocol === 'http')
    return { ...draftApi(api), transport: 'http', nexo: draftNexo(till.nexo), names: api.names };
  return DraftTill.parse(
    till.protocol === 'zvt' ? { ...till, stopBits: profileOf(till).stopBits } : till,
  );
}

export const draftApi = ({ host, port, tls, origins }: ApiSettings = defaultApi): TillApi => ({
  host,
  port,
  origins,
  tls: tls === undefined ? null : { certificate: tls.certificate, key: tls.key.file },
});

function draftNexo(
  nexo: Extract<LaneSettings['till'], { protocol: 'http' }>['nexo'],
): DraftHttpTill['nexo'] {
  return nexo === undefined ? null : { poiId: nexo.poiId, key: nexo.key ?? null };
}

/** A till of Nexo whose passphrase is not known here, because it came from a file. */
export const lacksPassphrase = (till: DraftTill): boolean =>
  till.transport === 'http' && till.nexo?.key != null && till.nexo.key.passphrase === null;

/** A till that is a program brings a token unless it shares a key. */
export const bringsToken = (till: DraftTill): boolean =>
  till.transport === 'http' && till.nexo?.key == null;

/** What setup does not ask, and keeps. */
export const outsideSetup = (till: DraftTill | null | undefined): z.infer<typeof OutsideSetup> =>
  OutsideSetup.parse(till ?? {});

/** @param before its password is kept unless a new one was entered, and what setup does not ask */
export function draftTillFrom(asked: TillInput, before: DraftTill | null): DraftTill {
  if (asked.transport === 'http') return { ...asked, nexo: nexoOf(asked.nexo, before), names: [] };
  const passwordBefore = before?.transport === 'http' ? null : (before?.password ?? null);
  const { password } = asked;
  return {
    ...asked,
    password: password === '' ? null : (password ?? passwordBefore),
    ...outsideSetup(before),
  };
}

function nexoOf(
  asked: Extract<TillInput, { transport: 'http' }>['nexo'],
  before: DraftTill | null,
): DraftHttpTill['nexo'] {
  if (asked?.key == null) return asked && { ...asked, key: null };
  const passphraseBefore =
    before?.transport === 'http' ? (before.nexo?.key?.passphrase ?? null) : null;
  return { ...asked, key: { ...asked.key, passphrase: asked.key.passphrase ?? passphraseBefore } };
}

export function tillView(kept: DraftTill): TillView {
  if (kept.transport !== 'http')
    return TillView.parse({ ...kept, hasPassword: kept.password !== null });
  const { nexo } = kept;
  return TillView.parse({
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
  { host, port, tls, origins, names }: DraftHttpTill,
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

export function tillSettings(kept: DraftTill): LaneSettings['till'] {
  if (kept.transport !== 'http') return lineSettings(kept);
  const { nexo } = kept;
  if (nexo === null) return { protocol: 'http' };
  if (nexo.key === null) return { protocol: 'http', nexo: { poiId: nexo.poiId } };
  const { passphrase, ...key } = nexo.key;
  if (passphrase === null) throw new Error('the till’s shared key has no passphrase yet');
  return { protocol: 'http', nexo: { poiId: nexo.poiId, key: { ...key, passphrase } } };
}

function lineSettings(kept: DraftLine): LaneSettings['till'] {
  const { protocol, password } = kept;
  // Without what a till may do besides paying: of Concert it can nothing else.
  const allowed =
    protocol === 'concert'
      ? { protocol }
      : {
          protocol,
          ...(password !== null && { password }),
          ...changedFrom(zvtFields, kept),
          ...outsideSetup(kept),
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
