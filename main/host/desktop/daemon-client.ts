import { type LaneView, ToPage, type View } from '../../../preload/contract.ts';
import type { UpdateRow } from '../../../preload/procedures/health.ts';
import type { Clock } from '../../core/domain/clock.ts';
import type { Notice } from '../../core/domain/notices.ts';
import type { Log } from '../../core/domain/log.ts';
import type { Handlers } from '../../counter/server/router.ts';
import { DaemonSocket } from './daemon-socket.ts';
import { httpClient } from '../../support/http-client.ts';
import type { Payments } from './payments.ts';
import { underWay } from './under-way.ts';
import { relayPage } from './relayed-page.ts';

interface DaemonClientOptions {
  readonly port: number;
  readonly thisPc: Handlers;
  /** How the app is updated; null when it is not. */
  readonly appUpdate: () => UpdateRow | null;
  /** What Health is to say of this computer beside what the daemon says. */
  readonly ownNotices: () => readonly Notice[];
  /** Called when setup of the counter finishes or is undone, because the windows change then. */
  readonly onSetUp: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

export interface DaemonClient extends Payments {
  /**
   * A version of the app can be tried: it is known that nothing is under way, or the screens show
   * nothing anyway.
   */
  isQuiet(): boolean;
  /** Whether a daemon that this version understands answers. */
  isAnswered(): boolean;
}

interface WatchedLane {
  readonly socket: DaemonSocket;
  /** null: not known. */
  lane: LaneView | null;
}

const pictureWithinMs = 5_000;

/**
 * The windows as screens of a daemon that already takes this computer's payments: its journal, its
 * lanes, and who is signed in there are its own.
 */
export function daemonClient({
  port,
  thisPc,
  appUpdate,
  ownNotices,
  onSetUp,
  clock,
  log,
}: DaemonClientOptions): DaemonClient {
  const watched = new Map<string | null, WatchedLane>();
  /** The view of the first lane; null while it is not known. */
  let view: View | null = null;
  /** The daemon's version; null until it has said. */
  let version: string | null = null;
  let isReady = false;
  /** It says what this version cannot read: it is of another one, and the screens show nothing. */
  let isUnreadable = false;

  function watch(laneId: string | null): void {
    const one: WatchedLane = {
      lane: null,
      socket: new DaemonSocket({
        port,
        clock,
        onConnected(isConnected) {
          one.lane = null;
          if (laneId === null) [view, isUnreadable] = [null, false];
          if (isConnected)
            one.socket.send({
              t: 'q',
              m: 'watch',
              a: [{ screen: 'cashier', laneId, hidden: true }],
            });
          if (laneId === null)
            log.info(
              { port, isConnected },
              'connection to the daemon that takes this computer’s payments',
            );
        },
        onMessage(message) {
          const parsed = ToPage.safeParse(message).data;
          if (parsed === undefined && laneId === null && !isUnreadable) {
            [view, isUnreadable] = [null, true];
            log.error(
              { port, daemon: version },
              'the daemon has a version that this app cannot read: update the app; its screens stay empty until then',
            );
          }
          if (parsed?.t === 'q' && parsed.m === 'hello') version = parsed.a[0].version;
          if (parsed?.t !== 'q' || parsed.m !== 'view') return;
          const [newView] = parsed.a;
          one.lane = newView.lane;
          if (laneId === null) follow(newView);
        },
      }),
    };
    watched.set(laneId, one);
  }

  function follow(next: View): void {
    const before = view;
    view = next;
    const others = next.lanes.slice(1).map(({ laneId }) => laneId);
    for (const laneId of others) if (!watched.has(laneId)) watch(laneId);
    for (const [laneId, { socket }] of watched) {
      if (laneId === null || others.includes(laneId)) continue;
      socket.close();
      watched.delete(laneId);
    }
    if (!isReady) log.info({ lanes: next.lanes.map(({ laneId }) => laneId) }, 'ready');
    isReady = true;
    if (before === null || (before.lanes.length === 0) !== (next.lanes.length === 0)) onSetUp();
  }

  const lanes = (): readonly LaneView[] | null =>
    view && [...watched.values()].flatMap(({ lane }) => lane ?? []);
  const takesPayments = ({ state }: LaneView): boolean => state.kind !== 'notReady';

  watch(null);
  return {
    areOwn: false,
    connect: (send, connected) =>
      relayPage({ port, thisPc, appUpdate, ownNotices, send, connected, clock, log }),
    async picture(name) {
      const answer = await httpClient(`http://127.0.0.1:${port}/shop/${encodeURIComponent(name)}`, {
        signal: AbortSignal.timeout(pictureWithinMs),
      });
      const type = answer.headers.get('content-type');
      return answer.ok && type !== null
        ? { type, content: new Uint8Array(await answer.arrayBuffer()) }
        : null;
    },
    // The daemon notices that by itself.
    resumed() {},
    isSetUp: () => view === null || view.lanes.length > 0,
    lanes,
    isQuiet() {
      if (isUnreadable) return true;
      const all = lanes() ?? [];
      return (
        all.length > 0 &&
        all.length === view?.lanes.length &&
        all.every(takesPayments) &&
        underWay(all).length === 0
      );
    },
    isAnswered: () => view !== null,
    language: () => view?.lane?.customer.language ?? view?.language ?? null,
    close() {
      for (const { socket } of watched.values()) socket.close();
      return Promise.resolve();
    },
  };
}
