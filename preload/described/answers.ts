import { procedures } from '../procedures.ts';
import { answersOf } from './shape-of.ts';

/** The shapes of the answers to all procedures. */
export const everyAnswer = answersOf(procedures);
