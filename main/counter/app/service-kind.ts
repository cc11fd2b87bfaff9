import type { ServiceKind } from '../../../preload/contract.ts';
import type { Cancel, Clock } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';
import type { Notices } from '../../core/domain/notices.ts';
import type { ReadySettings } from '../settings/load.ts';
import { addressOf, isForTests } from '../settings/wallet.ts';

/** @param checksOff what switches the checks of certificates off; null when nothing does */
export function serviceKind({ wallet }: ReadySettings, checksOff: string | null): ServiceKind {
  if ('simulator' in wallet) return 'simulated';
  if (!isForTests(wallet)) return 'real';
  return checksOff === null ? 'test' : 'testUnchecked';
}

interface UncheckedOptions {
  readonly notices: Notices;
  readonly clock: Clock;
  readonly log: Log;
}

/** A notice is shown for a day. */
const repeatMs = 12 * 60 * 60_000;

/** Warns for as long as the service's certificates are not checked. @returns ends it */
export function warnUnchecked(
  { wallet }: ReadySettings,
  detail: string | null,
  { notices, clock, log }: UncheckedOptions,
): Cancel {
  const subject = 'simulator' in wallet ? '' : new URL(addressOf(wallet)).host;
  let cancel: Cancel = () => {};
  const warn = (): void => {
    log.warn(
      { service: subject, detail },
      'the certificates of the wallet service are not checked',
    );
    notices.raise({ code: 'testService', subject, detail });
    cancel = clock.after(repeatMs, warn);
  };
  warn();
  return () => {
    cancel();
    notices.settle('testService', subject);
  };
}
