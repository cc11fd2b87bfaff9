/** A scanner at a pseudo-terminal, and a lane that takes what it reads. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { listenToScanners } from '../../../../main/counter/app/scanners.ts';
import { systemClock } from '../../../../main/core/domain/clock.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { parseSettings } from '../../../../main/counter/settings/load.ts';
import { SerialCable } from '../../../support/processes.ts';

const code = 'https://qr.vipps.no/p/simulated-4520031801';
const keys = {
  clientId: 'x',
  clientSecret: 'y',
  subscriptionKey: 'z',
  merchantSerialNumber: '1234567',
};
const cable = new SerialCable();
let close = async (): Promise<void> => {};
afterEach(async () => {
  await close();
  await cable.remove();
});

test.skipIf(spawnSync('socat', ['-V']).error !== undefined)(
  'a scanner at a serial port is heard by its lane, also after its cable was out',
  async () => {
    await cable.plugIn();
    const lane = {
      id: '1',
      name: 'Till',
      currency: 'DKK',
      flow: 'prepare',
      scanner: { path: cable.terminalPath },
      pointOfSale: { merchantPosId: '1', name: 'Till' },
      till: { protocol: 'http' },
    };
    const settings = parseSettings(
      {
        wallet: { service: 'epayment', environment: 'test', country: 'DK', ...keys },
        lanes: [lane],
      },
      {},
    );
    const scanned: string[] = [];
    close = listenToScanners(
      settings,
      [{ naming: { byScanner: (text) => void scanned.push(text) } }],
      { clock: systemClock, log: silentLog },
    );
    const scan = (text: string) => writeFileSync(cable.tillPath, text);
    await vi.waitFor(() => {
      scan(`${code}\r\n`);
      expect(scanned.at(-1)).toBe(code);
    });
    await cable.pull();
    await cable.plugIn();
    await vi.waitFor(
      () => {
        scan('https://qr.vipps.no/p/after\n');
        expect(scanned.at(-1)).toBe('https://qr.vipps.no/p/after');
      },
      { timeout: 10_000, interval: 100 },
    );
  },
);
