import type { ServiceKind } from '../../preload/contract.ts';
import type { Cancel } from '../domain/clock.ts';
import type { CounterOptions } from './counter.ts';

export function serviceKind({ settings: { wallet }, checksOff }: Pick<CounterOptions, 'settings' | 'checksOff'>): ServiceKind {
  if ('simulator' in wallet) return 'simulated';
  if (!wallet.testService) return 'real';
  return checksOff === null ? 'test' : 'testUnchecked';
}

/** A notice is shown for a day. */
const tellAgainMs = 12 * 60 * 60_000;

/** For as long as a service's certificates are not checked. @returns ends it */
export function tellUnchecked({
  settings: { wallet },
  checksOff: detail,
  notices,
  clock,
  log,
}: Pick<CounterOptions, 'settings' | 'checksOff' | 'notices' | 'clock' | 'log'>): Cancel {
  const subject = 'simulator' in wallet ? '' : new URL(wallet.baseUrl).host;
  let cancel: Cancel = () => {};
  const tell = (): void => {
    log.warn({ service: subject, detail }, 'the certificates of the wallet service are not checked');
    notices.raise({ code: 'testService', subject, detail });
    cancel = clock.after(tellAgainMs, tell);
  };
  tell();
  return () => {
    cancel();
    notices.settle('testService', subject);
  };
}
