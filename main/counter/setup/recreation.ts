import { z } from 'zod';
import type { Log } from '../../core/domain/log.ts';
import { type ListFile, listFile } from '../../support/list-file.ts';
import { CredentialsRefusedError, ServiceRefusedError } from '../../wallets/http/errors.ts';
import type { OpenAnswer, PointOfSaleClient } from '../../core/lane/wallet-port.ts';
import type { Profile } from '../../wallets/v10/v10-profile.ts';
import type { Transport } from '../../wallets/http/transport.ts';
import { messageOf } from '../../core/domain/errors.ts';
import { deletePointOfSale } from './delete-point-of-sale.ts';

const Replaced = z.object({ merchantPosId: z.string(), posId: z.guid() });
export type Replaced = z.infer<typeof Replaced>;

interface ServiceOfLane {
  readonly transport: Transport;
  readonly profile: Profile;
  readonly merchantPosId: string;
}

/**
 * Points of sale that are to be deleted, so that opening their lane creates them anew: the service
 * cannot edit one (interface document 2, "What the service does"). The intent is on disk before
 * anything is deleted. A crash in between leaves no gap: what is not there is created, what is
 * still there is deleted, and its own id says which is the old one.
 */
export class Recreations {
  readonly #kept: ListFile<Replaced>;
  readonly #log: Log;
  #replaced: readonly Replaced[];

  constructor(path: string, log: Log) {
    this.#log = log;
    // Where it cannot be read the point of sale stays as it is, and setup tells how it differs.
    this.#kept = listFile({
      path,
      name: 'replaced',
      item: Replaced,
      what: 'points of sale to create anew',
      log,
    });
    this.#replaced = this.#kept.read();
  }

  /** The recreations that are not done yet. */
  has(merchantPosId: string): boolean {
    return this.#replaced.some((one) => one.merchantPosId === merchantPosId);
  }

  /** On disk when this returns. @throws when the disk refuses: nothing is intended then */
  intend(replaced: Replaced): void {
    this.#write([
      ...this.#replaced.filter(({ merchantPosId }) => merchantPosId !== replaced.merchantPosId),
      replaced,
    ]);
  }

  /** It is done, or was given up. */
  forget(merchantPosId: string): void {
    if (this.has(merchantPosId))
      this.#write(this.#replaced.filter((one) => one.merchantPosId !== merchantPosId));
  }

  /**
   * Wraps the lane's wallet client: the old point of sale is deleted before the new one is opened.
   */
  around(wallet: PointOfSaleClient, service: ServiceOfLane): PointOfSaleClient {
    return { ...wallet, open: async () => (await this.#deleteOld(service)) ?? wallet.open() };
  }

  /** Deletes the replaced point of sale; null when the lane may open. */
  async #deleteOld({
    transport,
    profile,
    merchantPosId,
  }: ServiceOfLane): Promise<Exclude<OpenAnswer, { kind: 'open' }> | null> {
    const old = this.#replaced.find((one) => one.merchantPosId === merchantPosId);
    if (old === undefined) return null;
    const { posId } = old;
    try {
      if ((await deletePointOfSale(transport, profile, posId)) > 0) {
        // The lane opens with the old one, settles them, and the next start goes on here.
        this.#log.warn(
          { posId, merchantPosId },
          'the point of sale is not created anew yet: money is reserved at it',
        );
        return null;
      }
      this.#log.info({ posId, merchantPosId }, 'the point of sale was deleted, to be created anew');
    } catch (error) {
      const detail = messageOf(error);
      if (error instanceof CredentialsRefusedError) return { kind: 'credentialsRefused', detail };
      return {
        kind: error instanceof ServiceRefusedError ? 'pointOfSaleRefused' : 'unreachable',
        detail,
      };
    }
    this.forget(merchantPosId);
    return null;
  }

  #write(replaced: readonly Replaced[]): void {
    this.#kept.write(replaced);
    this.#replaced = replaced;
  }
}
