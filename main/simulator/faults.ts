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
  /** Instead of `skip`: meets the n-th call from now first. */
  nth: z.int().positive().optional(),
  /** Then meets this many. */
  times: z.int().positive().default(1),
  delayMs: z.int().nonnegative().default(0),
});
export type Fault = z.infer<typeof Fault>;

interface Planned {
  readonly fault: Fault;
  calls: number;
  met: number;
}

export class Faults {
  #planned: Planned[] = [];

  /** @throws ZodError */
  add(fault: z.input<typeof Fault>): void {
    this.#planned.push({ fault: Fault.parse(fault), calls: 0, met: 0 });
  }

  clear(): void {
    this.#planned = [];
  }

  /** The fault that meets this call, if any: of those that are due the one that was planned first. Every call counts for all that wait. */
  next(operation: string): Fault | null {
    let due: Planned | null = null;
    for (const planned of this.#planned) {
      const { fault } = planned;
      if (fault.operation !== operation && fault.operation !== '*') continue;
      planned.calls += 1;
      if (planned.calls > (fault.nth === undefined ? fault.skip : fault.nth - 1)) due ??= planned;
    }
    if (due === null) return null;
    due.met += 1;
    this.#planned = this.#planned.filter(({ fault, met }) => met < fault.times);
    return due.fault;
  }
}
