import { Dice } from './dice.ts';
import { playRound, type RoundReport } from './round.ts';
import { Shop, type ShopKind } from './shop.ts';

export interface ChaosReport {
  readonly rounds: number;
  /** Number of kills at each step. */
  readonly kills: ReadonlyMap<string, number>;
  readonly failures: readonly Failure[];
  readonly restartsMs: readonly number[];
  readonly clearedMs: readonly number[];
}

export interface Failure {
  readonly round: number;
  /** `--rounds 1 --seed` with this plays the same plan again. */
  readonly seed: number;
  readonly broken: readonly string[];
  /** Kept, with the shop's folder around it. */
  readonly storyFile: string;
}

export interface ChaosOptions {
  readonly rounds: number;
  /** Seed of the first round; each following round has the next number. */
  readonly seed: number;
  readonly onRound?: (round: number, report: RoundReport) => void;
}

/** Rounds in one shop. Then the next shop is of another kind. */
const roundsPerShop = 6;
const kinds: readonly ShopKind[] = [
  [{ transport: 'serial', flow: 'initiate' }],
  [
    { transport: 'serial', flow: 'prepare' },
    { transport: 'tcp', flow: 'initiate' },
  ],
  [{ transport: 'tcp', flow: 'prepare' }],
  [
    { transport: 'serial', flow: 'initiate' },
    { transport: 'tcp', flow: 'prepare' },
  ],
];

/**
 * Payments, one after the other, and something killed during each. A shop in which a rule was
 * broken is left at once.
 */
export async function playChaos({
  rounds,
  seed,
  onRound = () => {},
}: ChaosOptions): Promise<ChaosReport> {
  const kills = new Map<string, number>();
  const failures: Failure[] = [];
  const restartsMs: number[] = [];
  const clearedMs: number[] = [];
  let shop: Shop | null = null;
  const leave = async (keep: boolean): Promise<void> => {
    const left = shop;
    shop = null;
    await left?.close({ keep });
  };
  try {
    for (let round = 0; round < rounds; round += 1) {
      // Chosen by the seed alone, so that one round can be repeated by itself.
      const kind = kinds[Math.floor((seed + round) / roundsPerShop) % kinds.length] as ShopKind;
      if (shop?.kind !== kind) await leave(false);
      shop ??= await Shop.open(kind);
      const report = await playRound(shop, new Dice(seed + round));
      for (const kill of report.kills) kills.set(kill, (kills.get(kill) ?? 0) + 1);
      restartsMs.push(...report.restartsMs);
      clearedMs.push(...report.clearedMs);
      onRound(round, report);
      if (report.storyFile === null) continue;
      failures.push({
        round,
        seed: seed + round,
        broken: report.broken,
        storyFile: report.storyFile,
      });
      await leave(true);
    }
  } finally {
    await leave(false);
  }
  return { rounds, kills, failures, restartsMs, clearedMs };
}

/** The value that this share of the samples does not exceed. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
