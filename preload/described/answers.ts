import { procedures } from '../procedures.ts';
import { answersOf } from './shape-of.ts';

/** To every procedure. */
export const everyAnswer = answersOf(procedures);
