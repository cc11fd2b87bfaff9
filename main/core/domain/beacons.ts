/** How a customer's phone can find a point of sale (document 2, supportedBeaconTypes). */
export const beaconTypes = ['QR', 'NFC', 'Bluetooth'] as const;
export type BeaconType = (typeof beaconTypes)[number];

/**
 * What a customer does there: scan the code, hold the phone to the beacon, or whichever they like.
 */
export type Approach = 'code' | 'beacon' | 'either';

export function approachOf(types: readonly BeaconType[]): Approach {
  if (!types.includes('QR')) return 'beacon';
  return types.length > 1 ? 'either' : 'code';
}

/**
 * What a customer does to check in before the amount. @param hasCode whether the screens show a
 * code
 */
export function checkInApproachOf(types: readonly BeaconType[], hasCode: boolean): Approach {
  if (!hasCode) return 'beacon';
  const approach = approachOf(types);
  // The service's list differs from the settings, and its code is shown.
  return approach === 'beacon' ? 'either' : approach;
}

/** The radio that has to be turned on in the phone; null when the camera is enough. */
export type Radio = 'NFC' | 'Bluetooth' | 'both';

export function radioOf(types: readonly BeaconType[]): Radio | null {
  const hasNfc = types.includes('NFC');
  const hasBluetooth = types.includes('Bluetooth');
  if (hasNfc && hasBluetooth) return 'both';
  if (hasNfc) return 'NFC';
  return hasBluetooth ? 'Bluetooth' : null;
}

/**
 * A phone held to a beacon, in a square of 24: lines to be drawn 1.6 wide. On stickers, so that
 * customers find the place that a screen names.
 */
export const phoneSymbol = {
  beacon: 'M3 7.500h5v9H3z',
  waves:
    'M10.500 10.200c0.900 1.200 0.900 2.400 0 3.600M12.700 8.700c1.700 2.200 1.700 4.400 0 6.600',
  phone: 'M16.500 5h4.500v14h-4.500zM18.300 16.800h0.900',
} as const;
