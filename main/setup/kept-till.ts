/** A till as the draft keeps it: with its password, which goes in and never comes out, and what setup does not ask, as its protocol. */
import { z } from 'zod';
import { type TillInput, TillPassword, type TillShown, tillWith } from '../../preload/procedures/setup-fields.ts';
import { type LaneSettings, type LineSettings, tillProtocols } from '../settings/schema.ts';

const notAsked = {
  protocol: z.enum(tillProtocols).default('zvt'),
  partialReversals: z.boolean().optional(),
  record: z.union([z.literal(true), z.string()]).optional(),
};
export const KeptTill = tillWith({ password: TillPassword.nullable().default(null), ...notAsked });
export type KeptTill = z.infer<typeof KeptTill>;

/** null: of a till over HTTP, which setup does not ask about. */
export const keptTill = (till: LaneSettings['till']): KeptTill | null => (till.protocol === 'http' ? null : KeptTill.parse(till));

/** @param before its password is kept unless a new one was entered, and what setup does not ask */
export const keptOf = ({ password, ...asked }: TillInput, before: KeptTill | null): KeptTill => ({
  ...asked,
  protocol: before?.protocol ?? 'zvt',
  password: password === '' ? null : (password ?? before?.password ?? null),
  ...(before?.partialReversals !== undefined && { partialReversals: before.partialReversals }),
  ...(before?.record !== undefined && { record: before.record }),
});

export function shownTill(kept: KeptTill): TillShown {
  const { password, protocol: _, partialReversals: __, record: ___, ...till } = kept;
  return { ...till, hasPassword: password !== null };
}

export function tillSettings({ protocol, password, refunds, partialReversals, record, ...line }: KeptTill): LineSettings {
  const permissions = {
    ...(password !== null && { password }),
    ...(refunds !== null && { refunds }),
    ...(partialReversals !== undefined && { partialReversals }),
    ...(record !== undefined && { record }),
  };
  // Without what a till may do besides paying: of Concert it can nothing else.
  const allowed = protocol === 'concert' ? { protocol } : { protocol, ...permissions };
  if (line.transport === 'serial') return { ...line, ...allowed };
  const { from, ...rest } = line;
  return { ...rest, ...allowed, ...(from.length > 0 && { from }) };
}
