/** A till as the draft keeps it: with its password, which goes in and never comes out. */
import type { z } from 'zod';
import { type TillInput, TillPassword, type TillShown, tillWith } from '../../preload/procedures/setup-fields.ts';
import type { LaneSettings } from '../settings/schema.ts';

export const KeptTill = tillWith({ password: TillPassword.nullable().default(null) });
export type KeptTill = z.infer<typeof KeptTill>;

export const keptTill = (till: LaneSettings['till']): KeptTill => KeptTill.parse(till);

/** @param before its password is kept unless a new one was entered */
export const keptOf = ({ password, ...asked }: TillInput, before: KeptTill | null): KeptTill => ({
  ...asked,
  password: password === '' ? null : (password ?? before?.password ?? null),
});

export const shownTill = ({ password, ...till }: KeptTill): TillShown => ({ ...till, hasPassword: password !== null });

export function tillSettings({ password, refunds, ...line }: KeptTill): LaneSettings['till'] {
  const permissions = { ...(password !== null && { password }), ...(refunds !== null && { refunds }) };
  if (line.transport === 'serial') return { protocol: 'zvt', ...line, ...permissions };
  const { from, ...rest } = line;
  return { protocol: 'zvt', ...rest, ...permissions, ...(from.length > 0 && { from }) };
}
