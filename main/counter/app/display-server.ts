import type { Clock } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';
import {
  type CustomerDisplays,
  type CustomerDisplaysOptions,
  startCustomerDisplays,
} from '../server/customer-displays.ts';
import type { CustomerDisplaySettings } from '../settings/schema.ts';
import { FollowedServer } from './followed-server.ts';
import { explainUnserved } from './screens-port.ts';

export interface DisplayServerOptions extends Omit<CustomerDisplaysOptions, 'host' | 'port'> {
  /** null when only this machine has screens. */
  readonly settings: () => CustomerDisplaySettings | null;
  readonly clock: Clock;
  readonly log: Log;
}

/** Serves customers' screens to other devices as the settings in use say. */
export class DisplayServer extends FollowedServer<CustomerDisplaySettings, CustomerDisplays> {
  constructor(options: DisplayServerOptions) {
    super({
      ...options,
      start: (settings) =>
        startCustomerDisplays({ ...options, ...settings }).catch((error: unknown) =>
          explainUnserved(error),
        ),
      served: 'customers’ screens are served to other devices',
      failed: 'customers’ screens could not be served to other devices: retrying',
    });
  }
}
