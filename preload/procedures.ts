/** Every procedure that a page can call, by name. */
import type { z } from 'zod';
import { backupProcedures, restoredProcedures } from './procedures/backup.ts';
import { counterProcedures } from './procedures/counter.ts';
import { dayProcedures } from './procedures/day.ts';
import { fileProcedures } from './procedures/files.ts';
import { healthProcedures } from './procedures/health.ts';
import type { CommonRefusal, Procedure } from './procedures/procedure.ts';
import { reconciliationProcedures } from './procedures/reconciliation.ts';
import { refundProcedures } from './procedures/refunds.ts';
import { reservationProcedures } from './procedures/reservations.ts';
import { sessionProcedures } from './procedures/session.ts';
import { setupProcedures } from './procedures/setup.ts';
import { thisPcProcedures } from './procedures/this-pc.ts';
import { tillTokenProcedures } from './procedures/till-tokens.ts';

export const procedures = {
  ...backupProcedures,
  ...counterProcedures,
  ...dayProcedures,
  ...fileProcedures,
  ...healthProcedures,
  ...reconciliationProcedures,
  ...refundProcedures,
  ...reservationProcedures,
  ...restoredProcedures,
  ...sessionProcedures,
  ...setupProcedures,
  ...thisPcProcedures,
  ...tillTokenProcedures,
} as const satisfies Record<string, Procedure>;

type Procedures = typeof procedures;
export type ProcedureName = keyof Procedures;
export type ParsedInputOf<Name extends ProcedureName> = z.output<Procedures[Name]['input']>;
export type InputOf<Name extends ProcedureName> = z.input<Procedures[Name]['input']>;
export type OutputOf<Name extends ProcedureName> = z.output<Procedures[Name]['output']>;
export type RefusalOf<Name extends ProcedureName> =
  | CommonRefusal
  | Procedures[Name]['refusals'][number];

/** The answer to a call. */
export type AnswerTo<Name extends ProcedureName> =
  | { readonly ok: true; readonly value: OutputOf<Name> }
  | {
      readonly ok: false;
      readonly code: RefusalOf<Name>;
      readonly field: string | null;
      readonly message: string;
      readonly facts: Readonly<Record<string, string | number>>;
    };

export function isProcedure(name: string): name is ProcedureName {
  return Object.hasOwn(procedures, name);
}
