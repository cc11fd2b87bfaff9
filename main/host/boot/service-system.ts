import type { Place } from './definition.ts';
import type { Ask } from './browser-policy.ts';
import type { Step } from './step.ts';

/** @returns the content of a file of assets/service */
export type Template = (name: string) => string;

/** A program that the system starts. Each of its plans is pure. */
interface SystemService {
  /** Where its data is. */
  readonly data: string;
  uninstall(): readonly Step[];
  /** What says how the service is. */
  readonly question: readonly [string, ...string[]];
  /** @param answer output of the question; null when it failed */
  status(answer: string | null): ServiceStatus;
}

/** The callback receiver. Its settings are in its data folder. */
export interface ReceiverService extends SystemService {
  /**
   * @param registration options of `callbacks register` for new settings; null when the settings
   * are there
   * @throws Error in plain words when it cannot be started at this place
   */
  install(
    place: Place,
    template: Template,
    registration: readonly string[] | null,
  ): readonly Step[];
}

/** The daemon, and what else the system starts. */
export interface ServiceSystem extends SystemService {
  /** @throws Error in plain words when it cannot start a daemon at this place */
  install(place: Place, template: Template): readonly Step[];
  /** null where the receiver cannot be a service. */
  readonly receiver: ReceiverService | null;
  /**
   * Has the browsers of this computer let these web pages call Tillbeacon, and no others of ours;
   * null where that cannot be done.
   */
  browserPolicy(origins: readonly string[], ask: Ask): readonly Step[] | null;
}

/** Refuses a receiver whose settings are not there. @param settings the path of the file */
export const withoutSettings = (settings: string): string =>
  [
    `the callback receiver has no settings yet (${settings}).`,
    'Give --service, --key-env and --address, which make and register them, or write the file',
  ].join(' ');

export interface ServiceStatus {
  readonly isRunning: boolean;
  readonly words: string;
}
