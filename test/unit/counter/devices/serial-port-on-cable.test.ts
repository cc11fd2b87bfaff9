import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { holderOf } from '../../../../main/counter/devices/port-holder.ts';
import { openSerialWire } from '../../../../main/counter/devices/serial-port.ts';
import { SerialCable, until } from '../../../support/processes.ts';

describe.skipIf(process.platform !== 'linux')('on a real line', () => {
  const open = (path: string) =>
    openSerialWire({ path, baudRate: 9600, stopBits: 2 }, { data() {}, lost() {} });
  let cable: SerialCable;
  beforeEach(async () => {
    cable = await new SerialCable().plugIn();
  });
  afterEach(() => cable.remove());

  test('a port that another program has is busy, and the program is named', async () => {
    const program = spawn('flock', ['-o', cable.terminalPath, 'sleep', '60'], {
      stdio: 'ignore',
      detached: true,
    });
    try {
      await until(
        async () => (await holderOf(cable.terminalPath))?.startsWith('flock') === true,
        'the program to have the port',
      );
      await expect(open(cable.terminalPath)).rejects.toMatchObject({
        problem: 'busy',
        message: expect.stringMatching(
          new RegExp(`^${cable.terminalPath} is used by flock \\(process \\d+\\)$`),
        ),
      });
    } finally {
      process.kill(-(program.pid ?? 0));
      await once(program, 'close');
    }
    // The process that flock has started may hold the lock for a moment longer.
    await vi.waitFor(async () => (await open(cable.terminalPath)).close(), { timeout: 5_000 });
  });

  test('a second program that has the port and is called ModemManager is named, and known for what it is', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-modem-'));
    const program = join(folder, 'ModemManager');
    symlinkSync(process.execPath, program);
    const script = `const { SerialPort } = require('serialport');
      const port = new SerialPort({ path: ${JSON.stringify(cable.terminalPath)}, baudRate: 9600 }, () => console.log('open'));
      setInterval(() => {}, 60_000);`;
    const holder = spawn(program, ['-e', script], {
      cwd: process.cwd(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(holder, 'close');
    try {
      await once(holder.stdout, 'data');
      await expect(open(cable.terminalPath)).rejects.toMatchObject({
        problem: 'busy',
        claimer: 'modemManager',
        message: `${cable.terminalPath} is used by ModemManager (process ${holder.pid})`,
      });
    } finally {
      holder.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true });
    }
  });

  test('one that this program has is named as its own', async () => {
    const wire = await open(cable.terminalPath);
    await expect(open(cable.terminalPath)).rejects.toMatchObject({
      problem: 'busy',
      message: `${cable.terminalPath} is used by Tillbeacon itself`,
    });
    await wire.close();
  });

  test('an adapter that is not plugged in is absent', () =>
    expect(open('usb:ffff:ffff:none')).rejects.toMatchObject({
      problem: 'absent',
      message: expect.stringContaining('usb:ffff:ffff:none is not there'),
    }));
});
