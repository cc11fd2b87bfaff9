/** A till as the draft keeps it: with its password, which goes in and never comes out, and what setup does not ask. */
import { z } from 'zod';
import { TillInput, TillPassword, TillShown, tillWith } from '../../preload/procedures/setup-fields.ts';
import { deviationSettings, profileOf } from '../domain/till-profiles.ts';
import type { LaneSettings, LineSettings } from '../settings/schema.ts';

const NotAsked = z.object(deviationSettings).omit({ profile: true });
/** What there is of a till's deviations beside its profile. */
export const deviationsNotAsked = NotAsked.shape;
export const KeptTill = tillWith({ password: TillPassword.nullable().default(null), ...deviationsNotAsked });
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
  password: password === '' ? null : (password ?? before?.password ?? null),
  ...notAskedOf(before),
});

export const shownTill = (kept: KeptTill): TillShown => TillShown.parse({ ...kept, hasPassword: kept.password !== null });

export function tillSettings(kept: KeptTill): LineSettings {
  const { protocol, password: _, refunds, partialReversals, record, profile, ...line } = TillInput.parse(kept);
  // Without what a till may do besides paying: of Concert it can nothing else.
  const allowed =
    protocol === 'concert'
      ? { protocol }
      : {
          protocol,
          ...(kept.password !== null && { password: kept.password }),
          ...(refunds !== null && { refunds }),
          ...(partialReversals && { partialReversals }),
          ...(record !== null && { record }),
          ...(profile !== null && { profile }),
          ...notAskedOf(kept),
        };
  if (line.transport === 'serial') {
    const { stopBits, ...port } = line;
    // What the profile has anyway follows it when another one is chosen.
    if (allowed.protocol === 'zvt') return { ...port, ...allowed, ...(stopBits !== profileOf({ profile: profile ?? undefined }).stopBits && { stopBits }) };
    return { ...line, ...allowed };
  }
  const { from, ...rest } = line;
  return { ...rest, ...allowed, ...(from.length > 0 && { from }) };
}
