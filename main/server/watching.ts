import type { DemoView, LaneView, View, Watch } from '../../preload/contract.ts';
import { forCustomer } from './lane-view.ts';

/** What can be seen, and nothing that can be done. */
export interface SeenDesk {
  lanes(): { laneId: string; name: string }[];
  lane(laneId: string): LaneView | null;
  /** null: the settings name none. */
  language(): LaneView['customer']['language'];
  /** null: this daemon serves real tills. */
  demo(laneId: string): DemoView | null;
  /** Calls back with the lane at each change, and with null when the lanes themselves are others; returns the way to stop. */
  subscribe(listener: (laneId: string | null) => void): () => void;
  /** A customer's screen shows this lane, until what is returned is called. */
  watchedByCustomer(laneId: string): () => void;
}

export interface Watching {
  /** A new one replaces the old. */
  watch(watch: Watch): void;
  close(): void;
}

export interface WatchingOptions {
  readonly desk: SeenDesk;
  readonly send: (view: View) => void;
  /** Where this screen finds a picture of the shop; without it, at the address that a browser asks the daemon. */
  readonly pictureAt?: (address: string) => string;
}

/** Whole views of what one screen watches: at once, and at each change. */
export function openWatching({ desk, send, pictureAt = (address) => address }: WatchingOptions): Watching {
  let watched: Watch | null = null;
  let laneId: string | null = null;
  let due = false;
  /** The lane that is told of this customer's screen. */
  let shown: { readonly laneId: string; readonly end: () => void } | null = null;

  const show = (next: string | null): void => {
    if (shown?.laneId === next) return;
    shown?.end();
    shown = next === null ? null : { laneId: next, end: desk.watchedByCustomer(next) };
  };
  const push = (): void => {
    due = false;
    if (watched === null) return show(null);
    laneId = watched.laneId ?? desk.lanes()[0]?.laneId ?? null;
    show(watched.screen === 'customer' && watched.hidden !== true ? laneId : null);
    send(viewOf(watched, laneId));
  };
  const stop = desk.subscribe((changed) => {
    // The lanes are others, also the one of the same id.
    if (changed === null) show(null);
    // Several changes in one turn are one view: it is whole each time.
    const concerns = changed === null || changed === laneId || watched?.screen === 'manager';
    if (!concerns || due) return;
    due = true;
    queueMicrotask(push);
  });

  function viewOf({ screen }: Watch, seen: string | null): View {
    const lane = laneFor(screen, seen);
    return {
      lanes: desk.lanes(),
      lane,
      demo: seen !== null && screen === 'demo' ? desk.demo(seen) : null,
      ...(lane === null ? { language: desk.language() } : {}),
      ...(screen === 'manager' ? { elsewhere: unsettledElsewhere(desk, seen) } : {}),
    };
  }

  function laneFor(screen: Watch['screen'], seen: string | null): LaneView | null {
    const lane = seen === null ? null : desk.lane(seen);
    if (lane === null) return null;
    const { logo, picture } = lane.customer;
    const customer = { ...lane.customer, logo: logo && pictureAt(logo), picture: picture && pictureAt(picture) };
    return screen === 'customer' ? forCustomer({ ...lane, customer }) : { ...lane, customer };
  }

  return {
    watch(watch) {
      watched = watch;
      push();
    },
    close() {
      watched = null;
      show(null);
      stop();
    },
  };
}

/** A manager answers for every lane, whichever is in sight. */
function unsettledElsewhere(desk: SeenDesk, laneId: string | null): NonNullable<View['elsewhere']> {
  const others = desk.lanes().filter((lane) => lane.laneId !== laneId);
  return others.flatMap(({ laneId: other, name: laneName }) => (desk.lane(other)?.unsettled ?? []).map((money) => ({ ...money, laneName })));
}
