import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Demo, openDemo } from '../../../../main/sandbox/demo/demo.ts';
import { Service } from '../simulator/support.ts';

let service: Service;
let demo: Demo;
const lane = {
  address: 'tcp:127.0.0.1:1',
  currency: 'DKK',
  merchantPosId: 'lane-1',
  reference: () => null,
} as const;

beforeEach(async () => {
  service = await new Service().start();
  await service.createPos();
  const lanes = [
    { ...lane, id: 'beacon', service: 'v10' },
    { ...lane, id: 'code', service: 'epayment' },
    { ...lane, id: 'closed', merchantPosId: 'lane-2', service: 'v10' },
  ] as const;
  demo = openDemo({ lanes, simulator: service.simulator });
});
afterEach(async () => {
  await demo.close();
  await service.simulator.stop();
});

const refusal = (laneId: string) => demo.view(laneId)?.phone.refusal;

test.each(['approve', 'refuse'] as const)(
  'a refusal at “%s” is told as a code, for the screen’s language',
  async (action) => {
    await expect(demo.usePhone('beacon', action)).rejects.toMatchObject({ code: 'failed' });
    expect(refusal('beacon')).toBe('nothingAsked');
    await demo.usePhone('beacon', 'scan');
    expect(refusal('beacon')).toBeNull();
  },
);

test.each(['code', 'closed'])('so is a scan where there is nothing to scan: %s', async (laneId) => {
  await expect(demo.usePhone(laneId, 'scan')).rejects.toMatchObject({ code: 'failed' });
  expect(refusal(laneId)).toBe('nothingToScan');
});
