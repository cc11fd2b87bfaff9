/**
 * Slows down guessing: refused senders wait, longer each time, by their address; the log names them
 * without being flooded.
 */
import { isIPv6 } from 'node:net';
import { backoffMs } from '../../core/domain/backoff.ts';
import { CappedMap } from '../../core/domain/capped-map.ts';
import { type Cancel, type Clock, sleep } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';

/** Refusals without a delay: a key that is being changed causes a few. */
const maxAtOnce = 5;
/** The service waits ten seconds for an answer. */
const delays = { firstMs: 250, maxMs: 4_000 };
const forgottenAfterMs = 10 * 60_000;
const maxAddresses = 1_000;
/** Limit for all addresses together, because each waiting caller holds a connection. */
const maxWaiting = 100;
const tellEveryMs = 60_000;
const maxLines = 10;

interface Refused {
  readonly address: string;
  count: number;
  lastMs: number;
  /** Refusals that are not in the log yet. */
  unlogged: number;
}

export interface Refusals {
  /**
   * Resolves when the refusal may be sent. `hangUp`: too many refusals are waiting, so send it now
   * and close the connection.
   */
  refused(
    about: { readonly address: string; readonly path: string },
    gone: AbortSignal,
  ): Promise<'answer' | 'hangUp'>;
  /** Ends all delays and logs what was not logged yet. */
  close(): void;
}

export function openRefusals({ clock, log }: { clock: Clock; log: Log }): Refusals {
  /** Ordered by the last refusal, the oldest first. */
  const addresses = new CappedMap<string, Refused>(
    maxAddresses,
    ({ unlogged }) => (forgottenUnlogged += unlogged),
  );
  const closing = new AbortController();
  let waiting = 0;
  let forgottenUnlogged = 0;
  let lines = 0;
  let cancelTelling: Cancel | null = null;

  function note(address: string): Refused {
    const name = networkOf(address);
    const nowMs = clock.monotonicMs();
    const before = addresses.get(name);
    const isForgotten = before === undefined || nowMs - before.lastMs >= forgottenAfterMs;
    const refused = isForgotten
      ? { address: name, count: 0, lastMs: nowMs, unlogged: before?.unlogged ?? 0 }
      : before;
    refused.count += 1;
    refused.lastMs = nowMs;
    addresses.set(name, refused);
    return refused;
  }

  function tell(refused: Refused, path: string): void {
    if (refused.count === 1 && lines < maxLines) {
      lines += 1;
      log.warn(
        { address: refused.address, path },
        'a request without the right credentials was refused',
      );
    } else refused.unlogged += 1;
    cancelTelling ??= clock.after(tellEveryMs, tellTheRest);
  }

  function tellTheRest(): void {
    cancelTelling?.();
    cancelTelling = null;
    lines = 0;
    const unlogged = [...addresses.values()]
      .filter((refused) => refused.unlogged > 0)
      .toSorted((a, b) => b.unlogged - a.unlogged);
    const others = unlogged
      .slice(maxLines)
      .reduce((sum, refused) => sum + refused.unlogged, forgottenUnlogged);
    const more = unlogged
      .slice(0, maxLines)
      .map(({ address, unlogged: refused }) => ({ address, refused }));
    if (others > 0) more.push({ address: 'others', refused: others });
    for (const one of more)
      log.warn(one, 'more requests without the right credentials were refused');
    for (const refused of unlogged) refused.unlogged = 0;
    forgottenUnlogged = 0;
  }

  return {
    async refused({ address, path }, gone) {
      const refused = note(address);
      tell(refused, path);
      if (refused.count <= maxAtOnce || closing.signal.aborted) return 'answer';
      if (waiting >= maxWaiting) return 'hangUp';
      const delayMs = backoffMs(refused.count - maxAtOnce - 1, delays);
      waiting += 1;
      await sleep(clock, delayMs, AbortSignal.any([gone, closing.signal])).catch(() => {});
      waiting -= 1;
      return 'answer';
    },
    close() {
      closing.abort();
      tellTheRest();
    },
  };
}

/** An IPv6 address counts as its /64 network: its owner can use all of it. */
function networkOf(address: string): string {
  const mapped = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(mapped)) return mapped;
  const [head = '', tail] = mapped.split('::');
  const groups = (part: string): string[] => part.split(':').filter(Boolean);
  const known = groups(head);
  const whole =
    tail === undefined
      ? known
      : [
          ...known,
          ...Array.from({ length: 8 - known.length - groups(tail).length }, () => '0'),
          ...groups(tail),
        ];
  return `${whole.slice(0, 4).join(':')}::/64`;
}
