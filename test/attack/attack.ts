/** One attempt against the running product. */
interface Attack<Target> {
  /** Attacker and action, e.g. "a web page posts a form to the till's port". */
  readonly name: string;
  /**
   * Carries it out for real. @returns what the product did. @throws when the attack succeeded, or
   * did not reach the product
   */
  readonly attempt: (target: Target) => Promise<string>;
}

export interface AttackResult {
  readonly area: string;
  readonly name: string;
  readonly held: boolean;
  /** What the product did, or how the attack succeeded. */
  readonly seen: string;
}

/** Attacks on the same running product. */
export interface AttackArea {
  readonly area: string;
  run(onResult: (result: AttackResult) => void): Promise<void>;
}

export function attackArea<Target>(
  area: string,
  {
    open,
    close,
    attacks,
  }: {
    open: () => Promise<Target>;
    close: (target: Target) => Promise<void>;
    attacks: readonly Attack<Target>[];
  },
): AttackArea {
  return {
    area,
    async run(onResult) {
      const target = await open();
      try {
        for (const { name, attempt } of attacks) {
          const result = await attempt(target).then(
            (seen) => ({ held: true, seen }),
            (error: unknown) => ({
              held: false,
              seen: error instanceof Error ? error.message : String(error),
            }),
          );
          onResult({ area, name, ...result });
        }
      } finally {
        await close(target);
      }
    },
  };
}
