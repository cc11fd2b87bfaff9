import { randomUUID } from 'node:crypto';
import { CallMessage, type FromPage, ToPage, WatchMessage } from '../../../preload/contract.ts';
import type { Health, UpdateRow } from '../../../preload/procedures/health.ts';
import { sessionProcedures } from '../../../preload/procedures/session.ts';
import { thisPcProcedures } from '../../../preload/procedures/this-pc.ts';
import type { Clock } from '../../core/domain/clock.ts';
import type { Notice } from '../../core/domain/notices.ts';
import type { Log } from '../../core/domain/log.ts';
import type { Connection } from '../../counter/server/connection.ts';
import { type Handlers, Router } from '../../counter/server/router.ts';
import type { Session } from '../../counter/server/session.ts';
import { DaemonSocket } from './daemon-socket.ts';

interface RelayedPageOptions {
  readonly port: number;
  /** What this computer answers itself, without the daemon. */
  readonly thisPc: Handlers;
  /** How this program is updated; null: it is not. */
  readonly appUpdate: () => UpdateRow | null;
  /** What Health is to say of this computer beside what the daemon says. */
  readonly ownNotices: () => readonly Notice[];
  readonly send: (message: ToPage) => void;
  readonly connected: (isConnected: boolean) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * A page's connection to a daemon that already runs, by way of this program, which answers what is
 * asked of this computer.
 */
export function relayPage({
  port,
  thisPc,
  appUpdate,
  ownNotices,
  send,
  connected,
  clock,
  log,
}: RelayedPageOptions): Connection {
  const session: Session = { manager: null };
  /** Our own questions to the daemon on this page's connection, by ids that no page can know. */
  const ownCalls = new Map<string, (answer: unknown) => void>();
  /** The page's own questions about health, by their ids. */
  const healthCalls = new Set<string>();
  const router = new Router({
    handlers: thisPc,
    middleware: {
      mayCall: (who, { manager }) => who === 'anyone' || manager !== null,
      // The journal belongs to the daemon.
      record: (manager, procedure, facts) =>
        log.info(
          { manager: manager?.name, procedure, ...facts },
          'manager changed settings of this computer',
        ),
      recordRefused: (manager, procedure, facts) =>
        log.warn(
          { manager: manager.name, procedure, ...facts },
          'manager was refused a change of this computer',
        ),
    },
    log,
  });
  const socket = new DaemonSocket({
    port,
    clock,
    onConnected(isConnected) {
      if (!isConnected) {
        for (const answer of ownCalls.values()) answer(null);
        ownCalls.clear();
        healthCalls.clear();
      }
      connected(isConnected);
    },
    onMessage(message) {
      const toPage = ToPage.safeParse(message).data;
      // The daemon has another version: an empty screen is better than a wrong one.
      if (toPage === undefined) return connected(false);
      // Pages come from the app, so their version is not the daemon's.
      if (toPage.t === 'q' && toPage.m === 'hello') return;
      if (toPage.t !== 's') return send(toPage);
      const own = ownCalls.get(toPage.i);
      if (own === undefined) return send(healthCalls.delete(toPage.i) ? withOwn(toPage) : toPage);
      ownCalls.delete(toPage.i);
      return own(toPage.r.ok ? toPage.r.value : null);
    },
  });

  /** The daemon's health with what this program knows. */
  function withOwn(answer: Extract<ToPage, { t: 's' }>): ToPage {
    if (!answer.r.ok) return answer;
    const update = appUpdate();
    const health = answer.r.value as Pick<Health, 'notices'>;
    const atMs = clock.wallMs();
    const own = ownNotices().map((notice) => ({
      ...notice,
      state: 'attention' as const,
      count: 1,
      firstMs: atMs,
      lastMs: atMs,
    }));
    const added = {
      ...(update !== null && { appUpdate: update }),
      ...(own.length > 0 && { notices: [...own, ...health.notices] }),
    };
    return { ...answer, r: { ok: true, value: { ...health, ...added } } };
  }

  /** Asks the daemon who is signed in on this page. */
  async function askWho(): Promise<void> {
    const id = randomUUID();
    const answer = await new Promise<unknown>((resolve) => {
      if (!socket.isConnected) return resolve(null);
      ownCalls.set(id, resolve);
      return socket.send({ t: 'q', i: id, m: 'session', a: [{}] });
    });
    session.manager = sessionProcedures.session.output.safeParse(answer).data?.signedIn ?? null;
  }

  return {
    receive(message) {
      const call = CallMessage.safeParse(message).data;
      if (call === undefined && !WatchMessage.safeParse(message).success) return null;
      if (call === undefined || !Object.hasOwn(thisPcProcedures, call.m)) {
        if (call?.m === 'health' && socket.isConnected) healthCalls.add(call.i);
        // One of the two schemas has taken it.
        socket.send(message as FromPage);
        return Promise.resolve();
      }
      const { i, m: name, a } = call;
      return askWho()
        .then(() => router.call(session, name, a[0]))
        .then((r) => send({ t: 's', i, r }));
    },
    close: () => socket.close(),
  };
}
