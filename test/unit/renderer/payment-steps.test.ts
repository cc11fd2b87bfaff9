import { describe, expect, test } from 'vitest';
import type { LaneStateKind, LaneView } from '../../../preload/contract.ts';
import { currentStep, paymentSteps } from '../../../renderer/ui/payment-steps.ts';
import { quietLane } from '../../support/quiet-lane.ts';

const named = { isNamed: false, number: null, isSent: false, refused: null } as const;
const stepsOf = (about: Partial<LaneView>) => paymentSteps({ ...quietLane, ...about });

describe('the steps of a payment', () => {
  test.each([
    ['with the code of the counter', {}, ['scan', 'found', 'approve', 'paid']],
    ['with a beacon', { beacons: ['NFC'] }, ['checkIn', 'found', 'approve', 'paid']],
    ['with a code of its own', { codePerPayment: true }, ['scanAndApprove', 'paid']],
    [
      'of a customer named at the counter',
      { codePerPayment: true, named },
      ['scan', 'approve', 'paid'],
    ],
  ] as const)('%s are those that the service tells', (_which, about, steps) => {
    expect(stepsOf(about as Partial<LaneView>)).toEqual(steps);
  });

  test.each([
    [{}, [0, 0, 1, 2, 3, 4]],
    [{ codePerPayment: true }, [0, 0, 0, 0, 1, 2]],
    [{ codePerPayment: true, named }, [0, 0, 1, 1, 2, 3]],
  ] as const)('never go back: %j', (about, places) => {
    const kinds = [
      'contactingService',
      'waitingForCustomer',
      'customerFound',
      'approveInApp',
      'confirming',
      'paid',
    ] as const;
    expect(kinds.map((kind) => currentStep(stepsOf(about), kind))).toEqual(places);
  });

  test.each(['idle', 'notReady', 'cancelling', 'notPaid', 'reserved'] as const)(
    'are not there in the state %s',
    (kind: LaneStateKind) => {
      expect(currentStep(stepsOf({}), kind)).toBeNull();
    },
  );
});
