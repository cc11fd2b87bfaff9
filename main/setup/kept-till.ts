/** A till as the draft keeps it: with its password, which goes in and never comes out. */
import { z } from 'zod';
import { type TillInput, TillPassword, type TillShown, tillWith } from '../../preload/procedures/setup-fields.ts';
import type { LaneSettings } from '../settings/schema.ts';

export const KeptTill = tillWith({
  password: TillPassword.nullable().default(null),
  partialReversals: z.boolean().optional(),
  record: z.union([z.literal(true), z.string()]).optional(),
});
export type KeptTill = z.infer<typeof KeptTill>;

export const keptTill = (till: LaneSettings['till']): KeptTill => KeptTill.parse(till);

/** @param before its password is kept unless a new one was entered, and what setup does not ask */
export const keptOf = ({ password, ...asked }: TillInput, before: KeptTill | null): KeptTill => ({
  ...asked,
  password: password === '' ? null : (password ?? before?.password ?? null),
  ...(before?.partialReversals !== undefined && { partialReversals: before.partialReversals }),
  ...(before?.record !== undefined && { record: before.record }),
});

export function shownTill(kept: KeptTill): TillShown {
  const { password, partialReversals: _, record: __, ...till } = kept;
  return { ...till, hasPassword: password !== null };
}

export function tillSettings({ password, refunds, partialReversals, record, ...line }: KeptTill): LaneSettings['till'] {
  const permissions = {
    ...(password !== null && { password }),
    ...(refunds !== null && { refunds }),
    ...(partialReversals !== undefined && { partialReversals }),
    ...(record !== undefined && { record }),
  };
  if (line.transport === 'serial') return { protocol: 'zvt', ...line, ...permissions };
  const { from, ...rest } = line;
  return { protocol: 'zvt', ...rest, ...permissions, ...(from.length > 0 && { from }) };
}
