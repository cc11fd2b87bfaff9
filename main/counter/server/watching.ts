import type { DemoView, LaneView, View, Watch } from '../../../preload/contract.ts';
import { forScreen } from './lane-view.ts';

/** What pages can see. Nothing can be changed through it. */
export interface Views {
  lanes(): { laneId: string; name: string }[];
  lane(laneId: string): LaneView | null;
  /** null when the settings name none. */
  language(): LaneView['customer']['language'];
  /** null when this counter was not restored, or that is confirmed. */
  restored(): View['restored'] | null;
  /** Whether this counter has settings, correct or not, or waits for those of its backup. */
  isSetUp(): boolean;
  /** null outside of a demonstration. */
  demo(laneId: string): DemoView | null;
  /**
   * Calls back with the lane at each change, and with null when the lanes were replaced; returns
   * the way to stop.
   */
  subscribe(listener: (laneId: string | null) => void): () => void;
  /** Registers a screen that can show this lane's code. @returns a function that ends it */
  showsCode(laneId: string): () => void;
}

export interface Watching {
  /** Begins to watch; a new watch replaces the old one. */
  watch(watch: Watch): void;
  close(): void;
}

/** Screens that show the code before there is an amount. */
const withCode: ReadonlySet<Watch['screen']> = new Set(['cashier', 'customer']);

export interface WatchingOptions {
  readonly views: Views;
  readonly send: (view: View) => void;
}

/** Sends whole views of what one page watches: at once, and at each change. */
export function openWatching({ views, send }: WatchingOptions): Watching {
  let watched: Watch | null = null;
  let laneId: string | null = null;
  let due = false;
  /** The lane that this screen is registered at. */
  let registered: { readonly laneId: string; readonly end: () => void } | null = null;

  const show = (next: string | null): void => {
    if (registered?.laneId === next) return;
    registered?.end();
    registered = next === null ? null : { laneId: next, end: views.showsCode(next) };
  };
  const push = (): void => {
    due = false;
    if (watched === null) return show(null);
    laneId = watched.laneId ?? views.lanes()[0]?.laneId ?? null;
    show(withCode.has(watched.screen) && watched.hidden !== true ? laneId : null);
    send(viewOf(watched, laneId));
  };
  const stop = views.subscribe((changed) => {
    // The lanes were replaced, also the one with the same id.
    if (changed === null) show(null);
    // A view is whole, so that several changes in one turn need only one.
    const concerns = changed === null || changed === laneId || watched?.screen === 'manager';
    if (!concerns || due) return;
    due = true;
    // It comes after what they caused, so that the till is answered before the screens. A turn
    // later it would wait for the commits of other lanes.
    setImmediate(push);
  });

  function viewOf({ screen }: Watch, seen: string | null): View {
    const wholeLane = seen === null ? null : views.lane(seen);
    const lane = wholeLane && forScreen(screen, wholeLane);
    const restored = screen === 'customer' ? null : views.restored();
    return {
      lanes: views.lanes(),
      lane,
      demo: seen !== null && screen === 'demo' ? views.demo(seen) : null,
      ...(lane === null
        ? { language: views.language(), ...(!views.isSetUp() && { notSetUp: true as const }) }
        : {}),
      ...(restored == null ? {} : { restored }),
      ...(screen === 'manager'
        ? { elsewhere: unsettledElsewhere(views, seen), reservations: reservationsOf(views) }
        : {}),
    };
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

/** The reservations of all lanes. */
function reservationsOf(views: Views): NonNullable<View['reservations']> {
  const lanes = views.lanes().flatMap(({ laneId }) => views.lane(laneId) ?? []);
  const ending = lanes.flatMap(({ reservationsEnding }) => reservationsEnding ?? []);
  return {
    isUsed: lanes.some(
      ({ takesReservations, openReservations }) => takesReservations || openReservations > 0,
    ),
    ending:
      ending.length === 0
        ? null
        : {
            count: ending.reduce((sum, { count }) => sum + count, 0),
            firstMs: Math.min(...ending.map(({ firstMs }) => firstMs)),
          },
  };
}

/** A manager is responsible for every lane, not only for the one that is shown. */
function unsettledElsewhere(views: Views, laneId: string | null): NonNullable<View['elsewhere']> {
  const others = views.lanes().filter((lane) => lane.laneId !== laneId);
  return others.flatMap(({ laneId: other, name: laneName }) =>
    (views.lane(other)?.unsettled ?? []).map((money) => ({ ...money, laneName })),
  );
}
