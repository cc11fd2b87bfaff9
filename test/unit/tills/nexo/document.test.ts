import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reserved } from '../../core/lane/support.ts';
import { NexoWorld } from './support.ts';

const document = readFileSync(join(import.meta.dirname, '../../../../docs/nexo.md'), 'utf8');
const printed = /```sh\n(TILL_URL[^]*?)```/.exec(document)?.[1] ?? '';

let at: NexoWorld;
beforeEach(async () => {
  at = await new NexoWorld().openNexo({}, { poiId: 'Tillbeacon-1' });
});
afterEach(() => at.close());

test('the payment that docs/nexo.md prints is paid', async () => {
  // The document's message says the real time.
  const aheadMs = Date.now() - at.nowMs;
  await at.world.clock.pass(aheadMs);
  at.world.pollAnswers = [{ ...reserved, amountMinor: 1_250 }];
  const env = { ...process.env, TILL_URL: `http://127.0.0.1:${at.api.port}`, TILL_TOKEN: at.token };
  const shell = spawn('sh', ['-c', printed], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  shell.stdout.on('data', (part) => (text += String(part)));
  let isOver = false;
  shell.on('close', () => (isOver = true));
  for (let turn = 0; turn < 500 && !isOver; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (at.world.lane.tillRequests.readiness() === 'busy' || at.reached > 0)
      await at.world.clock.pass(500);
  }
  expect(JSON.parse(text)).toMatchObject({
    SaleToPOIResponse: {
      PaymentResponse: {
        Response: { Result: 'Success' },
        PaymentResult: { AmountsResp: { AuthorizedAmount: 12.5 } },
      },
    },
  });
});
