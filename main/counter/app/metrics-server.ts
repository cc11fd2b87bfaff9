import type { Clock } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';
import type { MonitoringPages } from '../monitoring/monitoring-pages.ts';
import { type MonitoringServer, startMonitoringServer } from '../monitoring/monitoring-server.ts';
import type { MetricsServerSettings } from '../settings/load.ts';
import { readPemFiles } from '../../support/bounded-file.ts';
import { FollowedServer } from './followed-server.ts';

export interface MetricsServerOptions extends MonitoringPages {
  /** null when only this machine can ask, at the screens' address. */
  readonly settings: () => MetricsServerSettings | null;
  readonly clock: Clock;
  readonly log: Log;
}

/** Serves status and metrics to other machines as the settings in use say. */
export class MetricsServer extends FollowedServer<MetricsServerSettings, MonitoringServer> {
  constructor(options: MetricsServerOptions) {
    super({
      ...options,
      start: ({ tls: files, ...settings }) => {
        const tls = files === undefined ? null : readPemFiles(files);
        return startMonitoringServer({ ...options, ...settings, tls });
      },
      served: 'the metrics are served to other machines',
      failed: 'the metrics could not be served to other machines: retrying',
    });
  }
}
