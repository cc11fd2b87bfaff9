import { z } from 'zod';

/**
 * What can be made to go wrong, for one operation by its name (`token` for the token endpoint, `*` for all).
 * `…Before`: nothing was done; `…After`: it was done and the answer is lost.
 */
export const Fault = z.strictObject({
  operation: z.string().min(1),
  kind: z.enum([
    'timeoutBefore',
    'timeoutAfter',
    'status500',
    'status500After',
    'status401',
    'reset',
    'resetAfter',
    'malformedJson',
    'html',
    'truncated',
    'slowBody',
    'wrongTypes',
    'delay',
  ]),
  /** Lets this many calls pass first. */
  skip: z.int().nonnegative().default(0),
  /** Then meets this many. */
  times: z.int().positive().default(1),
  delayMs: z.int().nonnegative().default(0),
});
export type Fault = z.infer<typeof Fault>;

export class Faults {
  #planned: { fault: Fault; seen: number }[] = [];

  /** @throws ZodError */
  add(fault: z.input<typeof Fault>): void {
    this.#planned.push({ fault: Fault.parse(fault), seen: 0 });
  }

  clear(): void {
    this.#planned = [];
  }

  /** The fault that meets this call, if any; each call counts for every fault that waits for its operation. */
  next(operation: string): Fault | null {
    let met: Fault | null = null;
    for (const planned of this.#planned) {
      const { fault } = planned;
      if (fault.operation !== operation && fault.operation !== '*') continue;
      if (met !== null) continue;
      planned.seen += 1;
      if (planned.seen > fault.skip) met = fault;
    }
    this.#planned = this.#planned.filter(({ fault, seen }) => seen < fault.skip + fault.times);
    return met;
  }
}
