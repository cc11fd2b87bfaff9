import type { Page } from 'playwright';
import type { OutputOf } from '../../../preload/procedures.ts';
import { Refusal } from '../../../preload/procedures/procedure.ts';
import { nowMs, type Scene } from '../stage.ts';
import { dayMs, hourMs, managerScene, refuses } from './manager-shared.ts';
import { type State } from './state.ts';

type Open = OutputOf<'reservations'>['reservations'];

const one = {
  saleId: '5a1e0000-0000-4000-8000-000000000101',
  laneId: '1',
  laneName: 'Check-out 1',
  orderId: '1-001042-5a1e0000',
  receiptNumber: 1042,
  amountMinor: 129_900,
  currency: 'DKK',
  by: 'cashier',
  startedAtMs: nowMs - 6.5 * dayMs,
  expiresAtMs: nowMs + 12 * hourMs,
  partialCapturePossible: true,
  isEndingSoon: true,
} as const satisfies Open[number];
const open: Open = [
  one,
  {
    ...one,
    saleId: '5a1e0000-0000-4000-8000-000000000102',
    amountMinor: 49_900,
    startedAtMs: nowMs - dayMs,
    expiresAtMs: nowMs + 6 * dayMs,
    partialCapturePossible: false,
    isEndingSoon: false,
  },
  {
    ...one,
    saleId: '5a1e0000-0000-4000-8000-000000000103',
    laneId: '2',
    laneName: 'Itsepalvelukassa 2',
    currency: 'EUR',
    amountMinor: 999_999_999,
    startedAtMs: nowMs - hourMs,
    expiresAtMs: null,
    isEndingSoon: false,
  },
];

/** The manager's page has it where a lane reserves. */
const scene = (reservations: Open, answers: Scene['answers'] = {}): Scene => {
  const shown = managerScene({ reservations: () => ({ reservations }), ...answers });
  return {
    ...shown,
    lanes: (shown.lanes ?? []).map((lane) => ({ ...lane, takesReservations: true })),
  };
};
const asks = (what: 'capture' | 'cancel', index: number) => async (page: Page) => {
  await page.getByTestId('reservation').nth(index).getByTestId(what).click();
  await page.getByTestId(`${what}-confirm`).waitFor();
};

/** Reservations that are held for days. */
export const reservations: readonly State[] = [
  { name: 'reservations', at: '#reservations', scene: scene(open), main: true },
  { name: 'reservations-none', at: '#reservations', scene: scene([]) },
  {
    name: 'reservations-capture',
    at: '#reservations',
    scene: scene(open),
    reach: asks('capture', 0),
  },
  {
    name: 'reservations-capture-part',
    at: '#reservations',
    scene: scene(open),
    reach: async (page) => {
      await asks('capture', 0)(page);
      await page.locator('input[type=radio]').nth(1).check();
      await page.locator('#capture-amount').fill('9999999');
      await page.getByTestId('capture-confirm').click();
      await page.locator('#capture-amount-problem span').waitFor();
    },
  },
  {
    name: 'reservations-capture-whole',
    at: '#reservations',
    scene: scene(open),
    reach: asks('capture', 1),
  },
  {
    name: 'reservations-cancel-refused',
    at: '#reservations',
    scene: scene(open, {
      cancelReservation: refuses(new Refusal('notHeld', 'captured meanwhile')),
    }),
    reach: async (page) => {
      await asks('cancel', 0)(page);
      await page.getByTestId('cancel-confirm').click();
      await page.locator('tb-dialog [role=alert], tb-dialog .notice').first().waitFor();
    },
  },
];
