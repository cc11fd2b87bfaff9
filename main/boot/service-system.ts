import type { Place } from './definition.ts';
import type { Ask } from './browser-policy.ts';
import type { Step } from './step.ts';

/** What a system that starts services is asked. Each of its plans is pure. */
export interface ServiceSystem {
  /** Where the data of a service is. */
  readonly data: string;
  /** @param template the content of a file of assets/service. @throws Error in plain words when it cannot start a daemon at this place */
  install(place: Place, template: (name: string) => string): readonly Step[];
  uninstall(): readonly Step[];
  /** Has the browsers of this computer let these web pages call Tillbeacon, and no others of ours; null where that cannot be done. */
  browserPolicy(origins: readonly string[], ask: Ask): readonly Step[] | null;
  /** What says how the service is. */
  readonly question: readonly [string, ...string[]];
  /** @param answer output of the question; null when it failed */
  status(answer: string | null): ServiceStatus;
}

export interface ServiceStatus {
  readonly isRunning: boolean;
  readonly words: string;
}
