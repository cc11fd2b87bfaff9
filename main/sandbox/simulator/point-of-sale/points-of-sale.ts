/**
 * Points of sale, which are created and deleted but never changed (interface document 2; document
 * 4, sections 1.5 and 1.6).
 */
import type { Caller, PointOfSale } from './point-of-sale-model.ts';
import { ServiceError } from '../service-error.ts';
import type { World } from '../world.ts';

export function createPointOfSale(
  world: World,
  owner: Caller,
  about: {
    merchantPosId: string;
    storeId: string;
    name: string;
    supportedBeaconTypes: readonly string[];
    beaconId: string | null;
    callbackAlias: string | null;
    requirePaymentBeforeCheckin: boolean;
  },
): PointOfSale {
  const store = world.stores.get(about.storeId.toLowerCase());
  if (store === undefined) throw new ServiceError(409, '1002', 'There is no such store');
  if (store.merchantVat !== owner.merchantVat)
    throw new ServiceError(403, '1403', 'The store is not one of this merchant');
  if (world.posByMerchantPosId.has(merchantKey(owner, about.merchantPosId)))
    throw new ServiceError(409, '1200', 'The merchantPosId is already used');
  const beaconId = (about.beaconId ?? world.ids.uuid()).toLowerCase();
  if (world.posByBeaconId.has(beaconId))
    throw new ServiceError(409, '1202', 'The beaconId is already used');
  const pos: PointOfSale = {
    posId: world.ids.uuid(),
    owner,
    ...about,
    storeId: store.storeId,
    beaconId,
    deleted: false,
    checkIn: null,
    active: null,
    open: new Set(),
    captured: [],
    paymentsByOrder: new Map(),
  };
  world.pointsOfSale.set(pos.posId, pos);
  world.posByMerchantPosId.set(merchantKey(owner, pos.merchantPosId), pos);
  world.posByBeaconId.set(beaconId, pos);
  return pos;
}

/** Afterwards there are no new payments. Reserved ones can still be captured or cancelled. */
export function deletePointOfSale(world: World, pos: PointOfSale): void {
  pos.deleted = true;
  world.posByMerchantPosId.delete(merchantKey(pos.owner, pos.merchantPosId));
  world.posByBeaconId.delete(pos.beaconId);
}

export function findByMerchantPosId(
  world: World,
  caller: Caller,
  merchantPosId: string,
): PointOfSale | undefined {
  return world.posByMerchantPosId.get(merchantKey(caller, merchantPosId));
}

const merchantKey = ({ integratorId, merchantVat }: Caller, merchantPosId: string): string =>
  `${integratorId}|${merchantVat}|${merchantPosId}`;
