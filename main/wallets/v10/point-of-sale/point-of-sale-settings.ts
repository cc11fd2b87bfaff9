import type { BeaconType } from '../../../core/domain/beacons.ts';
import type { PointOfSale } from './point-of-sale-schemas.ts';

/** The settings of a point of sale. */
export interface PointOfSaleSettings {
  readonly merchantPosId: string;
  readonly storeId: string;
  readonly name: string;
  readonly beaconTypes: readonly BeaconType[];
  /** null when the service chooses. */
  readonly beaconId: string | null;
  /** False when it is missing. */
  readonly requirePaymentBeforeCheckin?: boolean;
  /**
   * Alias of a notification service; null for none. When it is missing, the point of sale keeps the
   * one it has at the service; a new one has none.
   */
  readonly callbackAlias?: string | null | undefined;
}

/** Settings that are sent with every payment of a lane, beside its amount. */
export interface PaymentSettings {
  /** Cards with which a customer may not pay; without it, all may be used. */
  readonly restrictions?:
    | { readonly debitCardDisallowed: boolean; readonly creditCardDisallowed: boolean }
    | undefined;
  /** A label of at most 36 characters. */
  readonly merchantPaymentLabel?: string | undefined;
}

export interface Difference {
  readonly field:
    | 'name'
    | 'storeId'
    | 'beaconId'
    | 'beaconTypes'
    | 'requirePaymentBeforeCheckin'
    | 'callbackAlias';
  readonly now: string | null;
  readonly wanted: string | null;
}

/**
 * How the point of sale at the service differs from the settings. The service cannot change it,
 * only delete and create it (interface document 2, "What the service does").
 */
export function differences(found: PointOfSale, wanted: PointOfSaleSettings): Difference[] {
  const list = (types: readonly string[]): string => [...types].sort().join(', ');
  const text = (value: boolean | null | undefined): string => String(value ?? false);
  const alias = (value: string | null | undefined): string | null => value || null;
  const all: readonly Difference[] = [
    { field: 'name', now: found.name, wanted: wanted.name },
    { field: 'storeId', now: found.storeId.toLowerCase(), wanted: wanted.storeId.toLowerCase() },
    {
      field: 'beaconId',
      now: found.beaconId?.toLowerCase() ?? null,
      wanted:
        wanted.beaconId === null
          ? (found.beaconId?.toLowerCase() ?? null)
          : wanted.beaconId.toLowerCase(),
    },
    {
      field: 'beaconTypes',
      now: list(found.supportedBeaconTypes),
      wanted: list(wanted.beaconTypes),
    },
    {
      field: 'requirePaymentBeforeCheckin',
      now: text(found.requirePaymentBeforeCheckin),
      wanted: text(wanted.requirePaymentBeforeCheckin),
    },
    {
      field: 'callbackAlias',
      now: alias(found.callbackAlias),
      wanted: alias(
        wanted.callbackAlias === undefined ? found.callbackAlias : wanted.callbackAlias,
      ),
    },
  ];
  return all.filter(({ now, wanted: other }) => now !== other);
}
