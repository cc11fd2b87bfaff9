import { counterProcedures } from '../procedures/counter.ts';
import { answersOf } from './shape-of.ts';

/**
 * The shapes of the answers to the calls of the cashier's, the customer's and the demonstration's
 * pages.
 */
export const counterAnswers = answersOf(counterProcedures);
