import { type UpdateRow, updateRow } from '../../../preload/procedures/health.ts';
import { computerNotices, type ThisPc } from '../../../preload/procedures/this-pc.ts';
import type { Clock } from '../../core/domain/clock.ts';
import type { Notice } from '../../core/domain/notices.ts';
import type { Handlers } from '../../counter/server/router.ts';
import type { Autostart } from './autostart.ts';
import type { UpdateStatus } from '../../core/domain/update-status.ts';
import type { Preferences } from './preferences.ts';
import type { AppFeed } from './screens-updater.ts';
import type { ConnectedDisplay } from './window-plan.ts';

interface ThisPcOptions {
  readonly preferences: Preferences;
  readonly autostart: Autostart;
  readonly kiosk: Kiosk;
  readonly displays: () => readonly ConnectedDisplay[];
  readonly waiting: () => readonly number[];
  /** How the app is updated beside a daemon; null when the payments are its own. */
  readonly app: () => NonNullable<ThisPc['app']> | null;
  /** What Health says of this computer. */
  readonly notices: () => readonly Notice[];
  /** Shows the windows as they are chosen now. */
  readonly apply: () => void;
  readonly quit: () => void;
  readonly clock: Clock;
}

/** Whether a manager has left the kiosk, until the next start. */
export class Kiosk {
  isLeft = false;
}

/** Time for the answer to reach the page before its window may change or close. */
const answeredFirstMs = 200;

export const updateRowOf = (status: UpdateStatus | null): UpdateRow | null =>
  status && updateRow(status);

export const feedView = (feed: AppFeed | null): NonNullable<ThisPc['app']>['feed'] =>
  feed && {
    address: feed.settings.feed,
    from: feed.from,
    channel: feed.settings.channel,
    pin: feed.settings.pin ?? null,
  };

function warningsIn(notices: readonly Notice[]): Pick<ThisPc, 'warnings'> {
  const warnings = computerNotices.filter((code) => notices.some((notice) => notice.code === code));
  return warnings.length === 0 ? {} : { warnings };
}

/** Implements `preload/procedures/this-pc.ts`. */
export function thisPcHandlers({
  preferences,
  autostart,
  kiosk,
  displays,
  waiting,
  app,
  notices,
  apply,
  quit,
  clock,
}: ThisPcOptions): Handlers {
  const thisPcView = (): ThisPc => {
    const beside = app();
    return { ...ofThisPc(), ...(beside !== null && { app: beside }) };
  };
  const ofThisPc = (): ThisPc => ({
    choices: preferences.choices,
    displays: displays().map(({ id, label, bounds: { width, height }, isMain }) => ({
      id,
      label,
      width,
      height,
      isMain,
    })),
    waiting: [...waiting()],
    isKioskLeft: kiosk.isLeft,
    canAutostart: autostart.canBe,
    ...warningsIn(notices()),
  });
  const applySoon = (): ThisPc => {
    clock.after(answeredFirstMs, apply);
    return thisPcView();
  };
  return {
    thisPc: thisPcView,
    changeThisPc(changed) {
      if (changed.autostart !== undefined) autostart.set(changed.autostart);
      preferences.change(changed);
      // Choosing the kiosk again enters it again.
      if (changed.kiosk !== undefined) kiosk.isLeft = false;
      return applySoon();
    },
    leaveKiosk() {
      kiosk.isLeft = true;
      return applySoon();
    },
    quitApp() {
      clock.after(answeredFirstMs, quit);
      return {};
    },
  };
}
