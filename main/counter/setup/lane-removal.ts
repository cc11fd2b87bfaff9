/** Takes a lane out of use, and deletes its point of sale at the service when that is wanted. */
import { join } from 'node:path';
import type { OutputOf } from '../../../preload/procedures.ts';
import { Refusal } from '../../../preload/procedures/procedure.ts';
import { messageOf } from '../../core/domain/errors.ts';
import type { Log } from '../../core/domain/log.ts';
import type { Handlers } from '../server/router.ts';
import type { Settings } from '../settings/schema.ts';
import { type Deletion, Deletions } from './deletions.ts';
import type { ServiceSetup } from './service-setup.ts';
import type { SetupHost } from './setup-host.ts';

interface LaneRemovalOptions {
  readonly host: Pick<SetupHost, 'settings' | 'lanes' | 'change'>;
  readonly service: Pick<ServiceSetup, 'inUse'>;
  readonly dataFolder: string;
  readonly log: Log;
}

export class LaneRemoval {
  readonly #options: LaneRemovalOptions;
  readonly #deletions: Deletions;

  constructor(options: LaneRemovalOptions) {
    this.#options = options;
    this.#deletions = new Deletions(join(options.dataFolder, 'deletions.json'), options.log);
  }

  /** A lane of this counter may have one of them again. */
  leftBehind(): OutputOf<'setupState'>['leftBehind'] {
    const inUse = this.#inUse();
    return this.#deletions
      .list()
      .filter(({ merchantPosId }) => !inUse.has(merchantPosId))
      .map(({ merchantPosId, name, baseUrl }) => ({
        merchantPosId,
        name,
        host: new URL(baseUrl).host,
      }));
  }

  /** A lane has this point of sale. */
  taken(merchantPosId: string): void {
    this.#deletions.forget(merchantPosId);
  }

  readonly handlers: Handlers = {
    removeLane: async ({ laneId, deletePointOfSale }) => {
      const deletion = deletePointOfSale ? this.#deletionOf(laneId) : null;
      const without = (settings: Settings | null): Settings => {
        if (settings?.lanes.some(({ id }) => id === laneId) !== true)
          throw new Refusal('notFound', `there is no lane ${laneId}`);
        if (settings.lanes.length === 1)
          throw new Refusal('lastLane', 'a counter has at least one lane');
        return { ...settings, lanes: settings.lanes.filter(({ id }) => id !== laneId) };
      };
      if (deletion !== null) this.#intend(deletion);
      try {
        await this.#options.host.change(without);
      } catch (error) {
        if (deletion !== null) this.#deletions.forget(deletion.merchantPosId);
        throw error;
      }
      return {};
    },

    deletePointOfSale: async ({ merchantPosId }) => {
      const deletion = this.#leftBehind(merchantPosId);
      const { wallet } = this.#options.host.settings() ?? {};
      if (
        wallet === undefined ||
        !('merchantVat' in wallet) ||
        wallet.baseUrl !== deletion.baseUrl ||
        wallet.merchantVat !== deletion.merchantVat
      )
        throw new Refusal('otherService', 'this counter uses another service or merchant now', {
          facts: { host: new URL(deletion.baseUrl).host },
        });
      const service = this.#options.service.inUse(wallet);
      const posId =
        deletion.posId ?? (await service.pointsOfSale({ merchantPosId }))[0]?.posId ?? null;
      const reservations = posId === null ? 0 : await service.delete(posId);
      if (reservations > 0)
        throw new Refusal('reservations', 'payments at this point of sale are not settled yet', {
          facts: { count: reservations },
        });
      this.#deletions.forget(merchantPosId);
      this.#options.log.info(
        { posId, merchantPosId },
        'the point of sale of a removed lane was deleted',
      );
      return {};
    },

    keepPointOfSale: ({ merchantPosId }) => {
      this.#deletions.forget(this.#leftBehind(merchantPosId).merchantPosId);
      return {};
    },
  };

  /** null for a simulated service, which ends with its counter, or one without points of sale. */
  #deletionOf(laneId: string): Deletion | null {
    const settings = this.#options.host.settings();
    const lane = settings?.lanes.find(({ id }) => id === laneId);
    if (settings === null || lane === undefined || !('merchantVat' in settings.wallet)) return null;
    const { baseUrl, merchantVat } = settings.wallet;
    const { merchantPosId, name } = lane.pointOfSale;
    return {
      merchantPosId,
      name,
      posId: this.#options.host.lanes().find(({ id }) => id === laneId)?.posId ?? null,
      baseUrl,
      merchantVat,
    };
  }

  /** @throws Refusal notWritable: nothing was changed */
  #intend(deletion: Deletion): void {
    try {
      this.#deletions.intend(deletion);
    } catch (error) {
      throw new Refusal('notWritable', messageOf(error), { facts: { path: 'deletions.json' } });
    }
  }

  /** @throws Refusal posTaken, notFound */
  #leftBehind(merchantPosId: string): Deletion {
    const laneId = this.#inUse().get(merchantPosId);
    if (laneId !== undefined)
      throw new Refusal('posTaken', `lane ${laneId} uses it`, {
        field: 'merchantPosId',
        facts: { laneId },
      });
    const deletion = this.#deletions.list().find((one) => one.merchantPosId === merchantPosId);
    if (deletion === undefined)
      throw new Refusal('notFound', `no point of sale ${merchantPosId} is left to delete`, {
        field: 'merchantPosId',
      });
    return deletion;
  }

  #inUse(): ReadonlyMap<string, string> {
    return new Map(
      this.#options.host
        .settings()
        ?.lanes.map(({ id, pointOfSale }) => [pointOfSale.merchantPosId, id]),
    );
  }
}
