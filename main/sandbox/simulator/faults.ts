import { z } from 'zod';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * A fault of one operation, by its name (`token` for the token endpoint, `*` for all). With
 * `…Before` the request is not executed; with `…After` it is executed and the answer is lost.
 */
export const Fault = z
  .strictObject({
    operation: z.string().min(1, 'must be the name of an operation, token or *'),
    kind: z.enum([
      'timeoutBefore',
      'timeoutAfter',
      'status500',
      'status500After',
      'status401',
      'status404',
      'status409',
      'status423',
      'status429',
      'reset',
      'resetAfter',
      'malformedJson',
      'html',
      'truncated',
      'slowBody',
      'drip',
      'wrongTypes',
      'delay',
      'clockJump',
    ]),
    /** How many calls pass before the fault occurs. */
    skip: z.int().nonnegative().default(0),
    /** Instead of `skip`: the fault occurs at the n-th call from now. */
    nth: z.int().positive().optional(),
    /** How often the fault occurs. */
    times: z.int().positive().default(1),
    /** The share of calls at which it occurs, above 0 and at most 1; the seed decides which. */
    share: z.number().positive().max(1).default(1),
    /** `delay`: before the answer. `drip`: between two pieces of it. */
    delayMs: z.int().nonnegative().default(0),
    /**
     * `status409`: the code in its body, `1306` if left out. `status404`, `status423`: likewise,
     * none if left out.
     */
    code: z.string().min(1).optional(),
    /** `status429`: the header Retry-After; null for none. */
    retryAfterSeconds: z.int().nonnegative().nullable().default(1),
    /**
     * `clockJump`: the simulator's clock goes ahead by this much before the request is executed;
     * when negative, its wall clock is put back.
     */
    jumpMs: z
      .int()
      .min(-400 * dayMs)
      .max(400 * dayMs)
      .default(0),
  })
  .refine(({ kind, jumpMs }) => kind !== 'clockJump' || jumpMs !== 0, {
    path: ['jumpMs'],
    message: 'must say how far the clock jumps',
  })
  .refine(({ skip, nth }) => skip === 0 || nth === undefined, {
    path: ['nth'],
    message: 'cannot stand beside skip',
  });
export type Fault = z.infer<typeof Fault>;

/** The content of the file that `--faults FILE` reads. The seed makes a run repeatable. */
export const FaultPlan = z.strictObject({
  seed: z.int().nonnegative().default(1),
  faults: z.array(Fault),
});
export type FaultPlan = z.input<typeof FaultPlan>;

interface Planned {
  readonly fault: Fault;
  calls: number;
  met: number;
}

export class Faults {
  #planned: Planned[] = [];
  #random: () => number;
  readonly #operations: ReadonlySet<string>;

  /** @param operations the names that a fault can have */
  constructor(operations: Iterable<string>, seed = 1) {
    this.#operations = new Set([...operations, 'token', '*']);
    this.#random = seededRandom(seed);
  }

  /** @throws ZodError; RangeError for an operation that does not exist. Nothing is planned then. */
  add(...faults: z.input<typeof Fault>[]): void {
    this.#add(faults);
  }

  #add(faults: readonly unknown[]): void {
    const parsed = faults.length === 1 ? [Fault.parse(faults[0])] : z.array(Fault).parse(faults);
    for (const { operation } of parsed)
      if (!this.#operations.has(operation))
        throw new RangeError(`operation: no operation is called ${operation}`);
    this.#planned.push(...parsed.map((fault) => ({ fault, calls: 0, met: 0 })));
  }

  /**
   * `POST /simulator/faults`: one fault or several, which are added, or a plan with its seed, which
   * replaces all. @throws as `add`
   */
  addOrPlan(body: unknown): void {
    if (Array.isArray(body)) this.#add(body);
    else if (typeof body === 'object' && body !== null && 'faults' in body) this.plan(body);
    else this.#add([body]);
  }

  /** Replaces what was planned. @throws as `add` */
  plan(plan: unknown): void {
    const { seed, faults } = FaultPlan.parse(plan);
    const before = this.#planned;
    this.clear();
    try {
      this.add(...faults);
    } catch (error) {
      this.#planned = before;
      throw error;
    }
    this.#random = seededRandom(seed);
  }

  /** The faults that can still occur, and how often each has occurred. */
  planned(): { fault: Fault; met: number }[] {
    return this.#planned.map(({ fault, met }) => ({ fault, met }));
  }

  clear(): void {
    this.#planned = [];
  }

  /**
   * The fault of this call: of those that are due the one that was planned first; null for none. A
   * call counts for every planned fault of its operation.
   */
  next(operation: string): Fault | null {
    let due: Planned | null = null;
    for (const planned of this.#planned) {
      const { fault } = planned;
      if (fault.operation !== operation && fault.operation !== '*') continue;
      planned.calls += 1;
      if (planned.calls <= (fault.nth === undefined ? fault.skip : fault.nth - 1)) continue;
      if (fault.share < 1 && this.#random() >= fault.share) continue;
      due ??= planned;
    }
    if (due === null) return null;
    due.met += 1;
    this.#planned = this.#planned.filter(({ fault, met }) => met < fault.times);
    return due.fault;
  }
}

/** mulberry32: small, and the same on every machine. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
