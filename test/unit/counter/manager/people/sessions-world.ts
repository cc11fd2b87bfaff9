import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { managersHandlers } from '../../../../../main/counter/manager/people/people-handlers.ts';
import { FirstManager } from '../../../../../main/counter/manager/people/first-manager.ts';
import { Managers } from '../../../../../main/counter/manager/people/managers.ts';
import { Sessions } from '../../../../../main/counter/manager/people/sessions.ts';
import { systemIds } from '../../../../../main/core/domain/ids.ts';
import { type Log, silentLog } from '../../../../../main/core/domain/log.ts';
import { noNotices, type Notice, type Notices } from '../../../../../main/core/domain/notices.ts';
import { Router } from '../../../../../main/counter/server/router.ts';
import type { Session } from '../../../../../main/counter/server/session.ts';
import { cheapPinCost } from '../../../../support/first-manager.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

export const signsOutAfterMs = 5 * 60_000;
export let folder: string;
export let clock: ManualClock;
export let router: Router;
export let written: [who: string | undefined, action: string, facts: object][];
let canWrite: boolean;
export let logged: [message: string, fields: object][];
export let noticed: Notice[];
/** Gives each test of a file a counter without managers. */
export function openSessionsWorld(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tillbeacon-sessions-'));
    clock = new ManualClock();
    written = [];
    canWrite = true;
    logged = [];
    noticed = [];
    start();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
}
/** Starts as the daemon does, also again. */
export function start(): void {
  const log: Log = { ...silentLog, warn: (fields, message) => logged.push([message, fields]) };
  const notices: Notices = { ...noNotices, raise: (notice) => noticed.push(notice) };
  const managers = new Managers({
    path: join(folder, 'managers.json'),
    clock,
    ids: systemIds,
    log: silentLog,
    cost: cheapPinCost,
  });
  const firstManager = new FirstManager({
    managers,
    isSetUp: () => false,
    path: join(folder, 'first-manager-code.txt'),
    clock,
    log: silentLog,
  });
  const actions = {
    record(manager: { name: string } | null, action: string, facts: object) {
      if (!canWrite) throw new Error('disk full');
      written.push([manager?.name, action, facts]);
    },
  };
  const sessions = new Sessions({
    managers,
    firstManager,
    actions,
    notices,
    clock,
    log,
    signsOutAfterMs,
  });
  router = new Router({
    handlers: managersHandlers({ managers, sessions, signsOutAfterMs }),
    middleware: sessions,
    log: silentLog,
  });
}
export function failToRecord(): void {
  canWrite = false;
}

export const screen = (): Session => ({
  manager: null,
  address: '127.0.0.1:53122',
  screen: 'manager',
});
export async function value(
  session: Session,
  name: string,
  asked: object,
): Promise<Record<string, unknown>> {
  const answer = await router.call(session, name, asked);
  if (!answer.ok) throw new Error(`${name}: ${answer.code} ${answer.message}`);
  return answer.value as Record<string, unknown>;
}
/** Ada is signed in at the first screen. */
export async function setUp(): Promise<{ session: Session; ada: string }> {
  const session = screen();
  const { managerId } = await value(session, 'addManager', { name: 'Ada', pin: '4711' });
  return { session, ada: managerId as string };
}
export const mayManage = async (session: Session): Promise<boolean> => {
  const answer = await router.call(session, 'changePin', {
    managerId: '3d500000-0000-4000-8000-000000000009',
    pin: '4711',
  });
  return answer.ok || answer.code !== 'pinNeeded';
};
