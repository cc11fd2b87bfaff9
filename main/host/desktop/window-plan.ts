/**
 * Which window belongs on which display. Pure: the same displays and choices always give the same
 * plan.
 */
import type { ScreenName } from '../../../preload/contract.ts';
import { defaultWindows } from '../../../preload/procedures/plain.ts';
import type { ChosenWindow, DisplayIdentity } from '../../../preload/procedures/this-pc.ts';

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface ConnectedDisplay extends DisplayIdentity {
  readonly bounds: Rectangle;
  readonly isMain: boolean;
}

export interface Placed {
  readonly display: Rectangle;
  readonly bounds: Rectangle;
}

export interface PlannedWindow {
  /** The same window of the same choices has the same key, wherever it is. */
  readonly key: string;
  readonly screen: ChosenWindow['screen'];
  readonly laneId: string | null;
  readonly display: ConnectedDisplay;
}

export interface WindowPlan {
  readonly windows: readonly PlannedWindow[];
  /** Chosen windows that have no display now, by their place in the choices. */
  readonly waiting: readonly number[];
}

/**
 * Whether most of it lies inside of the other. Systems round bounds on displays with a scale, and
 * some keep a strip for themselves.
 */
export function isCovered(inner: Rectangle, outer: Rectangle): boolean {
  const width = Math.min(inner.x + inner.width, outer.x + outer.width) - Math.max(inner.x, outer.x);
  const height =
    Math.min(inner.y + inner.height, outer.y + outer.height) - Math.max(inner.y, outer.y);
  return width >= inner.width * minCoveredPart && height >= inner.height * minCoveredPart;
}
const minCoveredPart = 0.9;

/** The installer's and the demonstration's windows: the rest of the computer is needed as well. */
const smallWindow = { width: 1024, height: 768 };

/**
 * Small windows side by side on the main display; the customer's on another one, where there is
 * one.
 */
export function planSmallWindows(
  displays: readonly ConnectedDisplay[],
  screens: readonly ScreenName[],
): (Placed & { readonly screen: ScreenName })[] {
  const main = displays.find(({ isMain }) => isMain) ?? displays[0];
  const other = displays.find((display) => display !== main) ?? main;
  const displayOf = (screen: ScreenName): ConnectedDisplay | undefined =>
    screen === 'customer' ? other : main;
  return screens.flatMap((screen) => {
    const display = displayOf(screen);
    if (display === undefined) return [];
    const { x, y, width: displayWidth, height: displayHeight } = display.bounds;
    const beside = screens.filter((one) => displayOf(one) === display);
    const width = Math.min(smallWindow.width, Math.floor(displayWidth / beside.length));
    const height = Math.min(smallWindow.height, displayHeight);
    return [
      {
        screen,
        display: display.bounds,
        bounds: { x: x + beside.indexOf(screen) * width, y, width, height },
      },
    ];
  });
}

/** A payment cannot be taken without the cashier's screen; the customer has the phone as well. */
export const importance: Readonly<Record<ScreenName, number>> = {
  cashier: 0,
  setup: 0,
  manager: 1,
  demo: 1,
  customer: 2,
};

/**
 * Each display shows one window, so that no screen lies over another. @param chosen empty: the
 * usual windows.
 */
export function planWindows(
  displays: readonly ConnectedDisplay[],
  chosen: readonly ChosenWindow[],
): WindowPlan {
  const wished = (chosen.length === 0 ? defaultWindows : chosen).map((window, place) => ({
    window,
    place,
  }));
  const byImportance = wished.toSorted(
    (one, other) => importance[one.window.screen] - importance[other.window.screen],
  );
  const free = new Set(displays);
  const displayByPlace = new Map<number, ConnectedDisplay>();
  const settle = (place: number, display: ConnectedDisplay | undefined): void => {
    if (display === undefined) return;
    free.delete(display);
    displayByPlace.set(place, display);
  };
  // Displays that are there as chosen first, so that nobody else gets them; then by label, for
  // those at another socket.
  for (const same of [sameId, sameLabel])
    for (const { window, place } of byImportance)
      if (!displayByPlace.has(place) && window.display !== null)
        settle(place, only([...free].filter(same(window.display))));
  for (const { window, place } of byImportance)
    if (!displayByPlace.has(place))
      settle(place, freeFor(window, free) ?? displayOfCustomer(window));
  /** The display of a customer's screen, for one without which no payment is taken. */
  function displayOfCustomer({ screen }: ChosenWindow): ConnectedDisplay | undefined {
    const lesser = byImportance.findLast(
      ({ window, place }) =>
        displayByPlace.has(place) && importance[window.screen] === importance.customer,
    );
    if (screen === 'customer' || lesser === undefined) return undefined;
    const display = displayByPlace.get(lesser.place);
    displayByPlace.delete(lesser.place);
    return display;
  }
  return {
    windows: wished.flatMap(({ window: { screen, laneId }, place }) => {
      const display = displayByPlace.get(place);
      return display === undefined
        ? []
        : [{ key: `${screen} ${laneId ?? ''} ${place}`, screen, laneId, display }];
    }),
    waiting:
      chosen.length === 0
        ? []
        : wished.map(({ place }) => place).filter((place) => !displayByPlace.has(place)),
  };
}

const sameId =
  (wanted: DisplayIdentity) =>
  ({ id }: ConnectedDisplay): boolean =>
    id === wanted.id;

const sameLabel =
  (wanted: DisplayIdentity) =>
  ({ label }: ConnectedDisplay): boolean =>
    label !== '' && label === wanted.label;

/** Two displays of one kind cannot be told apart by their label. */
function only<Value>(values: readonly Value[]): Value | undefined {
  return values.length === 1 ? values[0] : undefined;
}

/**
 * The cashier's place is the main display; a customer's screen takes that only where it was chosen
 * in the place of a cashier's.
 */
function freeFor(
  { screen }: ChosenWindow,
  free: ReadonlySet<ConnectedDisplay>,
): ConnectedDisplay | undefined {
  const byPlace = [...free].toSorted(
    (one, other) =>
      Number(other.isMain) - Number(one.isMain) ||
      one.bounds.x - other.bounds.x ||
      one.bounds.y - other.bounds.y,
  );
  return screen === 'customer' ? (byPlace.find(({ isMain }) => !isMain) ?? byPlace[0]) : byPlace[0];
}
