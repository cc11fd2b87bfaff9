/**
 * A till's port that another program has: what the manager and the log are told, from the built
 * daemon.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Counter } from '../support/counter.ts';
import { ContractLine } from '../support/manager-books.ts';
import { SerialCable, until } from '../support/processes.ts';

test.runIf(process.platform === 'linux')(
  'Health names ModemManager while it has the port, and the till is connected once it lets go',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-holder-'));
    const program = join(folder, 'ModemManager');
    symlinkSync(process.execPath, program);
    const cable = await new SerialCable().plugIn();
    const script = `const { SerialPort } = require('serialport');
    new SerialPort({ path: ${JSON.stringify(cable.terminalPath)}, baudRate: 9600 }, () => console.log('open'));
    setInterval(() => {}, 60_000);`;
    const holder = spawn(program, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(holder, 'close');
    await once(holder.stdout, 'data');
    const second = {
      id: '2',
      name: 'Check-out 2',
      currency: 'DKK',
      till: {
        protocol: 'zvt',
        transport: 'serial',
        path: cable.terminalPath,
        baudRate: 9600,
        stopBits: 2,
      },
    };
    const counter = await Counter.open({
      more: async ({ storeIds }) => ({
        lanes: [
          {
            ...second,
            pointOfSale: {
              merchantPosId: 'shop-1-lane-2',
              storeId: storeIds[0],
              name: 'Check-out 2',
              beaconTypes: ['QR'],
              beaconId: null,
            },
          },
        ],
      }),
    });
    try {
      const manager = await ContractLine.ofAda(counter);
      const till = async () =>
        (await manager.value('health', { ask: false })).tills.find(({ laneId }) => laneId === '2');
      const detail = `${cable.terminalPath} is used by ModemManager (process ${holder.pid})`;
      await until(async () => (await till())?.code === 'busy', 'the port to be busy');
      expect(await till()).toMatchObject({
        state: 'broken',
        code: 'busy',
        claimer: 'modemManager',
        detail,
      });
      expect(counter.daemon.log()).toContainEqual(expect.objectContaining({ lane: '2', detail }));
      holder.kill('SIGKILL');
      await until(async () => (await till())?.code === 'open', 'the port to be open');
      expect(await till()).not.toHaveProperty('claimer');
      manager.close();
    } finally {
      holder.kill('SIGKILL');
      await ended;
      await counter.close();
      await cable.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
