import type { Clock } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';
import type { Notices } from '../../core/domain/notices.ts';
import type { JournalReader } from '../../core/journal/reader.ts';
import { type ApiSettings, defaultApi, type Settings } from '../settings/schema.ts';
import { apiAddress } from '../../core/domain/api-address.ts';
import { localDayOf } from '../../core/domain/local-time.ts';
import { readPemFiles } from '../../support/bounded-file.ts';
import { localDayPeriod } from '../../support/local-day.ts';
import type { HttpApiOptions } from '../../tills/http/options.ts';
import type { HttpApi } from '../../tills/http/server.ts';
import type { NexoOptions } from '../../tills/nexo/protocol.ts';
import { FollowedServer } from './followed-server.ts';
import { terminalVersion } from './version.ts';

export interface ApiServerOptions
  extends Pick<HttpApiOptions, 'counter' | 'subscribe' | 'tokens' | 'onRefusedPage'> {
  readonly reader: () => Pick<JournalReader, 'changesAfter' | 'newestSeq' | 'dayTotals'>;
  /** Those whose till speaks Nexo. */
  readonly nexoLanes: NexoOptions['lanes'];
  readonly nexoRefusals: NexoOptions['refusals'];
  readonly notices: Notices;
  /** null while the counter is not set up. */
  readonly settings: () => Pick<Settings, 'api' | 'lanes'> | null;
  readonly clock: Clock;
  readonly log: Log;
}

/** Serves the HTTP API while there is a lane whose till is software. */
export class ApiServer extends FollowedServer<ApiSettings, HttpApi> {
  readonly #inUse: () => ApiSettings | null;

  constructor(options: ApiServerOptions) {
    const inUse = (): ApiSettings | null => {
      const settings = options.settings();
      const isWanted = settings?.lanes.some(({ till }) => till.protocol === 'http') === true;
      return isWanted ? (settings.api ?? defaultApi) : null;
    };
    super({
      ...options,
      settings: inUse,
      start: (settings) => startApi(settings, options),
      served: 'the HTTP API for tills is served',
      failed: 'the HTTP API for tills could not be served: retrying',
    });
    this.#inUse = inUse;
  }

  /**
   * The address as tills call it, e.g. `http://127.0.0.1:4182`; null when the API is not served.
   */
  async address(): Promise<string | null> {
    const port = await this.port();
    const settings = this.#inUse();
    if (port === null || settings === null) return null;
    return apiAddress(settings.tls !== undefined, { ...settings, port });
  }
}

/** @throws when the port cannot be had or the certificate not be read */
export async function startApi(
  { tls: files, ...settings }: ApiSettings,
  options: Omit<ApiServerOptions, 'settings'>,
): Promise<HttpApi> {
  // Most tills are cash registers, which need none of it.
  const [{ startHttpApi }, { nexoProtocol }] = await Promise.all([
    import('../../tills/http/server.ts'),
    import('../../tills/nexo/protocol.ts'),
  ]);
  const tls = files && (() => readPemFiles(files));
  const { reader, nexoLanes, nexoRefusals, notices, clock } = options;
  const journal: HttpApiOptions['journal'] = {
    changesAfter: (...behind) => reader().changesAfter(...behind),
    newestSeq: () => reader().newestSeq(),
  };
  const dayTotals: HttpApiOptions['dayTotals'] = (laneId, day) =>
    dayOfLane(reader(), laneId, day ?? localDayOf(clock.wallMs()));
  const protocols = [
    nexoProtocol({
      lanes: nexoLanes,
      refusals: nexoRefusals,
      notices,
      clock,
      version: terminalVersion,
    }),
  ];
  return startHttpApi({
    ...options,
    ...settings,
    journal,
    dayTotals,
    protocols,
    tls: tls ?? null,
    version: terminalVersion,
  });
}

/** The totals of a day at a lane, as its till reads them. */
export function dayOfLane(
  reader: Pick<JournalReader, 'dayTotals'>,
  laneId: string,
  day: string,
): ReturnType<HttpApiOptions['dayTotals']> {
  const period = localDayPeriod(day);
  const { hours, tests, open } = reader.dayTotals(period);
  const sum = (of: typeof hours, what: 'payments' | 'refunds') =>
    of.reduce(
      (all, hour) => ({
        count: all.count + hour[what].count,
        sumMinor: all.sumMinor + hour[what].sumMinor,
      }),
      { count: 0, sumMinor: 0 },
    );
  const movedOf = (totals: typeof hours) => {
    const ofLane = totals.filter((hour) => hour.laneId === laneId);
    return { payments: sum(ofLane, 'payments'), refunds: sum(ofLane, 'refunds') };
  };
  const ofTests = movedOf(tests);
  return {
    day,
    ...period,
    ...movedOf(hours),
    ...(ofTests.payments.count + ofTests.refunds.count > 0 && { tests: ofTests }),
    open: open.filter((one) => one.laneId === laneId).length,
  };
}
