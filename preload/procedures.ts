/** Every question that a screen can ask, by name. */
import type { z } from 'zod';
import { dayQuestions } from './procedures/day.ts';
import { fileQuestions } from './procedures/files.ts';
import { healthQuestions } from './procedures/health.ts';
import type { CommonRefusal, Procedure } from './procedures/procedure.ts';
import { reconciliationQuestions } from './procedures/reconciliation.ts';
import { refundQuestions } from './procedures/refunds.ts';
import { sessionQuestions } from './procedures/session.ts';
import { setupQuestions } from './procedures/setup.ts';

export const questions = {
  ...dayQuestions,
  ...fileQuestions,
  ...healthQuestions,
  ...reconciliationQuestions,
  ...refundQuestions,
  ...sessionQuestions,
  ...setupQuestions,
} as const satisfies Record<string, Procedure>;

export type Questions = typeof questions;
export type QuestionName = keyof Questions;
export type Asked<Name extends QuestionName> = z.output<Questions[Name]['asks']>;
export type Asking<Name extends QuestionName> = z.input<Questions[Name]['asks']>;
export type Answered<Name extends QuestionName> = z.output<Questions[Name]['answers']>;
export type RefusalOf<Name extends QuestionName> = CommonRefusal | Questions[Name]['refuses'][number];

/** What a screen gets for a question. */
export type AnswerTo<Name extends QuestionName> =
  | { readonly ok: true; readonly value: Answered<Name> }
  | {
      readonly ok: false;
      readonly code: RefusalOf<Name>;
      readonly field: string | null;
      readonly message: string;
      readonly facts: Readonly<Record<string, string | number>>;
    };

export function isQuestion(name: string): name is QuestionName {
  return Object.hasOwn(questions, name);
}
