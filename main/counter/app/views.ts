import type { DemoView, LaneView } from '../../../preload/contract.ts';
import { laneView } from '../server/lane-view.ts';
import type { ShopPictures } from '../server/shop-pictures.ts';
import type { Views } from '../server/watching.ts';
import type { Counter } from './counter.ts';
import { providerOf } from '../../wallets/wallet-providers.ts';
import type { Clock } from '../../core/domain/clock.ts';
import { isClockToTell } from '../../core/domain/clock-off.ts';
import type { ReadySettings } from '../settings/load.ts';
import type { DiskState } from '../../support/disk-space.ts';
import type { LaneChanges } from './lane-changes.ts';

/** Names of the apps, where the provider has any for the screens. */
function appsOf(
  settings: ReadySettings | undefined,
  clock: Pick<Clock, 'wallMs'>,
): { readonly apps?: string[] } {
  if (settings === undefined) return {};
  const { wallet } = settings;
  const apps = providerOf(wallet).appNames('simulator' in wallet ? null : wallet, clock.wallMs());
  return apps.length === 0 ? {} : { apps: [...apps] };
}

function computerShown({
  clockOffSeconds: seconds,
  disk,
}: ReturnType<ViewsOptions['computer']>): Pick<LaneView, 'computer'> {
  const computerState = {
    clockOffSeconds: isClockToTell(seconds) ? seconds : null,
    disk: disk === 'low' || disk === 'full' ? disk : null,
  };
  return computerState.clockOffSeconds === null && computerState.disk === null
    ? {}
    : { computer: computerState };
}

interface ViewsOptions {
  /** null while the counter is not set up. */
  readonly counter: () => Counter | null;
  readonly pictures: ShopPictures;
  readonly changes: LaneChanges;
  readonly computer: () => { readonly clockOffSeconds: number | null; readonly disk: DiskState };
  /** See `Views.restored`. */
  readonly restored: Views['restored'];
  readonly isSetUp: Views['isSetUp'];
  readonly clock: Pick<Clock, 'wallMs'>;
  /** The demonstration's own manager. */
  readonly demoManager: () => DemoView['manager'];
}

/** What pages see of the lanes and, in a demonstration, of its till and phone. */
export function createViews({
  counter,
  pictures,
  changes,
  computer,
  clock,
  restored,
  isSetUp,
  demoManager,
}: ViewsOptions): Views {
  const laneOf = (laneId: string) => counter()?.lanes.find(({ id }) => id === laneId);
  const language = () => counter()?.settings.language ?? null;
  return {
    lanes: () => counter()?.lanes.map((lane) => ({ laneId: lane.id, name: lane.name })) ?? [],
    lane(laneId) {
      const lane = laneOf(laneId);
      const { shop } = counter()?.settings ?? {};
      const shopView = {
        shopName: shop?.name ?? null,
        language: language(),
        ...pictures.shown(shop ?? null),
        ...appsOf(counter()?.settings, clock),
      };
      return lane === undefined
        ? null
        : {
            ...laneView(lane.snapshot(), shopView, counter()?.service),
            ...computerShown(computer()),
          };
    },
    language,
    restored,
    isSetUp,
    demo(laneId) {
      const view = counter()?.demo?.view(laneId) ?? null;
      return view && { ...view, manager: demoManager() };
    },
    subscribe: (listener) => changes.subscribe(listener),
    showsCode: (laneId) => laneOf(laneId)?.showsCode() ?? (() => {}),
  };
}
