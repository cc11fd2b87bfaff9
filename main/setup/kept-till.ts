/** A till as the draft keeps it: with its password, which goes in and never comes out, and what setup does not ask, as its protocol. */
import { z } from 'zod';
import { TillInput, TillPassword, TillShown, tillWith } from '../../preload/procedures/setup-fields.ts';
import { deviationSettings, profileOf } from '../domain/till-profiles.ts';
import { type LaneSettings, type LineSettings, tillProtocols } from '../settings/schema.ts';

const NotAsked = z.object({
  partialReversals: z.boolean().optional(),
  record: z.union([z.literal(true), z.string()]).optional(),
  ...deviationSettings,
});
const protocol = z.enum(tillProtocols).default('zvt');
export const KeptTill = tillWith({ password: TillPassword.nullable().default(null), protocol, ...NotAsked.shape });
export type KeptTill = z.infer<typeof KeptTill>;

/** null: of a till over HTTP, which setup does not ask about. */
export function keptTill(till: LaneSettings['till']): KeptTill | null {
  if (till.protocol === 'http') return null;
  return KeptTill.parse(till.protocol === 'zvt' ? { ...till, stopBits: profileOf(till).stopBits } : till);
}

/** What setup does not ask, and keeps. */
export const notAskedOf = (till: KeptTill | null | undefined): z.infer<typeof NotAsked> => NotAsked.parse(till ?? {});

/** @param before its password is kept unless a new one was entered, and what setup does not ask */
export const keptOf = ({ password, ...asked }: TillInput, before: KeptTill | null): KeptTill => ({
  ...asked,
  protocol: before?.protocol ?? 'zvt',
  password: password === '' ? null : (password ?? before?.password ?? null),
  ...notAskedOf(before),
});

export const shownTill = (kept: KeptTill): TillShown => TillShown.parse({ ...kept, hasPassword: kept.password !== null });

export function tillSettings(kept: KeptTill): LineSettings {
  const { refunds, password: _, ...line } = TillInput.parse(kept);
  const { protocol, password } = kept;
  // Without what a till may do besides paying: of Concert it can nothing else.
  const allowed =
    protocol === 'concert' ? { protocol } : { protocol, ...(password !== null && { password }), ...(refunds !== null && { refunds }), ...notAskedOf(kept) };
  if (line.transport === 'serial') {
    const { stopBits, ...port } = line;
    // What the profile has anyway follows it when another one is chosen.
    if (allowed.protocol === 'zvt') return { ...port, ...allowed, ...(stopBits !== profileOf({ profile: kept.profile }).stopBits && { stopBits }) };
    return { ...line, ...allowed };
  }
  const { from, ...rest } = line;
  return { ...rest, ...allowed, ...(from.length > 0 && { from }) };
}
