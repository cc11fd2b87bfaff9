/** A lane on which nothing happens. */
import type { LaneView } from '../../preload/contract.ts';

export const quietLane: LaneView = {
  laneId: '1',
  name: 'Check-out 1',
  currency: 'DKK',
  state: { kind: 'idle' },
  beacons: ['QR'],
  service: 'real',
  customer: { shopName: null, logo: null, picture: null, language: null, checkIn: null },
  till: { address: 'serial:/dev/ttyUSB0', link: 'connected', detail: null, heardAtMs: null },
  refund: null,
  unsettled: [],
  recent: [],
  takesReservations: false,
  openReservations: 0,
  reservationsEnding: null,
  journalDamage: null,
};
