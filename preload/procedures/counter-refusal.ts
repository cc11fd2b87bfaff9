import type { CounterRefusal } from './counter.ts';
import type { CommonRefusal } from './procedure.ts';

/**
 * Common refusals for which the counter's screens have no words become `failed`. Only
 * `disconnected` can occur there, and leaves the outcome unknown too.
 */
export const counterRefusal = (code: CounterRefusal | CommonRefusal): CounterRefusal =>
  code === 'pinNeeded' || code === 'notFound' || code === 'notHere' || code === 'disconnected'
    ? 'failed'
    : code;
