import { counterProcedures } from '../procedures/counter.ts';
import { answersOf } from './shape-of.ts';

/** To what the cashier's, the customer's and the demonstration's pages ask. */
export const counterAnswers = answersOf(counterProcedures);
