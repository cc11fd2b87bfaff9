import type { CounterRefusal } from './counter.ts';
import type { CommonRefusal } from './procedure.ts';

/** The other common refusals cannot occur at the counter, except for a lost answer: what happened is not known, as of `failed`. */
export const counterRefusal = (code: CounterRefusal | CommonRefusal): CounterRefusal =>
  code === 'pinNeeded' || code === 'notFound' || code === 'notHere' || code === 'disconnected' ? 'failed' : code;
