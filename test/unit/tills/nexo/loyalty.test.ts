import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reserved } from '../../core/lane/support.ts';
import { settled } from '../../support/manual-clock.ts';
import { type Heard, NexoWorld, payment } from './support.ts';

let at: NexoWorld;
beforeEach(async () => {
  at = await new NexoWorld().openNexo();
});
afterEach(() => at.close());

/** A payment whose customer has these loyalty ids. */
async function paid(
  about: object,
  loyaltyIds: readonly string[] | null,
  answer: object = reserved,
): Promise<Heard> {
  at.world.pollAnswers = [
    { ...(answer as typeof reserved), customer: { loyaltyIds, receiptToken: 'r' } },
  ];
  const { PaymentTransaction, ...others } = payment(at.nowMs, 12.34);
  const { conditions, ...more } = about as { readonly conditions?: object };
  const request = {
    ...others,
    PaymentTransaction: {
      ...PaymentTransaction,
      ...(conditions && { TransactionConditions: conditions }),
    },
    ...more,
  };
  const told = at.say('Payment', request);
  for (let turn = 0; turn < 500 && at.world.lane.tillRequests.readiness() !== 'busy'; turn += 1)
    await settled();
  await at.world.clock.pass(3_000);
  return told;
}

const account = (id: string): object => ({
  LoyaltyAccount: {
    LoyaltyAccountID: { EntryMode: ['Mobile'], IdentificationType: 'AccountNumber', LoyaltyID: id },
  },
});

describe('the loyalty ids of the customer', () => {
  test.each([
    { conditions: { LoyaltyHandling: 'Allowed' } },
    { conditions: { LoyaltyHandling: 'Proposed' } },
    { conditions: { LoyaltyHandling: 'Required' } },
    {
      LoyaltyData: [
        {
          LoyaltyAccountID: { EntryMode: ['Keyed'], IdentificationType: 'PAN', LoyaltyID: '98234' },
        },
      ],
    },
  ])('are told with the paid result to a till that sends %j', async (about) => {
    const { told } = await paid(about, ['LOYAL-4711', '5790001234567']);
    expect(told.Response.Result).toBe('Success');
    expect(told['LoyaltyResult']).toEqual([account('LOYAL-4711'), account('5790001234567')]);
  });

  test.each([
    {},
    { conditions: {} },
    { conditions: { LoyaltyHandling: null } },
    { conditions: { LoyaltyHandling: 'Forbidden' } },
    { conditions: { LoyaltyHandling: 'Processed' } },
    { conditions: { LoyaltyHandling: 'Forbidden' }, LoyaltyData: [{}] },
    { conditions: { LoyaltyHandling: 7 } },
    { conditions: 'Allowed' },
    { LoyaltyData: [] },
    { LoyaltyData: null },
    { LoyaltyData: 'x' },
  ])('are not told to a till that sends %j, whose payment is taken as ever', async (about) => {
    const { told } = await paid(about, ['LOYAL-4711']);
    expect(told.Response.Result).toBe('Success');
    expect(JSON.stringify(told)).not.toMatch(/Loyalty|LOYAL/);
  });

  test('are left out where there are none, where they are none of a till’s, and where nothing is paid', async () => {
    const allowed = { conditions: { LoyaltyHandling: 'Allowed' } };
    expect(
      (await paid(allowed, ['x'.repeat(61), '', ' ', 'A\u0000B\u202e', 'C-3'])).told[
        'LoyaltyResult'
      ],
    ).toEqual([account('A B'), account('C-3')]);
    for (const none of [null, []]) {
      await at.close();
      at = await new NexoWorld().openNexo();
      expect((await paid(allowed, none)).told).not.toHaveProperty('LoyaltyResult');
    }
    await at.close();
    at = await new NexoWorld().openNexo();
    const { told } = await paid(allowed, ['LOYAL-4711'], {
      kind: 'seen',
      status: 'cancelledByUser',
    });
    expect(told.Response.Result).toBe('Failure');
    expect(JSON.stringify(told)).not.toMatch(/LOYAL/);
  });
});
