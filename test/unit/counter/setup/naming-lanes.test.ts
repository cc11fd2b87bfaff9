import { expect, test } from 'vitest';
import { namingLanes } from '../../../../main/counter/setup/naming-lanes.ts';
import { Refusal } from '../../../../preload/procedures/procedure.ts';
import type { Session } from '../../../../main/counter/server/session.ts';

const session = {} as Session;
const nameOf = (laneId: string): string | undefined => (laneId === '2' ? 'Garden shop' : undefined);
const used = new Refusal('posTaken', 'lane 2 uses it', {
  field: 'merchantPosId',
  facts: { laneId: '2' },
});

test.each([
  [
    'at once',
    () => {
      throw used;
    },
  ],
  ['later', () => Promise.reject(used)],
])('a handler that refuses %s names the lane', async (_when, keepPointOfSale) => {
  const { keepPointOfSale: handler } = namingLanes({ keepPointOfSale }, nameOf);
  const refused = async () => handler?.({ merchantPosId: 'shop-2' }, session);
  await expect(refused()).rejects.toMatchObject({
    code: 'posTaken',
    field: 'merchantPosId',
    facts: { laneId: '2', lane: 'Garden shop' },
  });
});

test.each([
  new Refusal('posTaken', '', { facts: { laneId: '9' } }),
  new Refusal('notFound', ''),
  new Error('disk'),
])('what is about no lane that is there stays as it was: %s', async (error) => {
  const { shop } = namingLanes({ shop: () => Promise.reject(error) }, nameOf);
  await expect(shop?.({}, session)).rejects.toBe(error);
});
