import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { holderOf, runningClaimers } from '../../../../main/counter/devices/port-holder.ts';

describe('who holds a port', () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  const proc = (...processes: { id: number; comm?: string; opens: string[] }[]) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tillbeacon-proc-')));
    folders.push(folder);
    mkdirSync(join(folder, 'sys'));
    for (const { id, comm, opens } of processes) {
      mkdirSync(join(folder, String(id), 'fd'), { recursive: true });
      if (comm !== undefined) writeFileSync(join(folder, String(id), 'comm'), `${comm}\n`);
      opens.forEach((path, index) =>
        symlinkSync(path, join(folder, String(id), 'fd', String(index))),
      );
    }
    return { proc: folder };
  };

  test('is named with its process', async () =>
    expect(
      await holderOf(
        '/dev/ttyUSB0',
        proc(
          { id: 12, comm: 'bash', opens: ['/dev/pts/1'] },
          { id: 4711, comm: 'minicom', opens: ['/dev/null', '/dev/ttyUSB0'] },
        ),
      ),
    ).toBe('minicom (process 4711)'));
  test('is this program itself', async () =>
    expect(await holderOf('/dev/ttyUSB0', proc({ id: process.pid, opens: ['/dev/ttyUSB0'] }))).toBe(
      'Tillbeacon itself',
    ));
  test('is not known where the system does not tell', async () => {
    expect(await holderOf('/dev/ttyUSB0', proc({ id: 12, opens: ['/dev/ttyUSB1'] }))).toBeNull();
    expect(await holderOf('/dev/ttyUSB0', { proc: '/nowhere' })).toBeNull();
  });
  test('is who has locked it, before who has it open as well; or who has it still, when that one has ended', async () => {
    const port = join(realpathSync(tmpdir()), `tillbeacon-port-${process.pid}`);
    writeFileSync(port, '');
    folders.push(port);
    const { dev, ino } = statSync(port);
    const device = `${[(dev >> 8) & 0xfff, (dev & 0xff) | ((dev >> 12) & 0xfff00)].map((number) => number.toString(16).padStart(2, '0')).join(':')}:${ino}`;
    const system = proc(
      { id: 12, comm: 'logger', opens: [port] },
      { id: 4711, comm: 'minicom', opens: [] },
    );
    const locks = (id: number) =>
      writeFileSync(
        join(system.proc, 'locks'),
        `1: POSIX  ADVISORY  WRITE 99 00:05:1 0 EOF\n2: FLOCK  ADVISORY  WRITE ${id} ${device} 0 EOF\n`,
      );
    locks(4711);
    expect(await holderOf(port, system)).toBe('minicom (process 4711)');
    locks(4712);
    expect(await holderOf(port, system)).toBe('logger (process 12)');
    locks(0);
    expect(await holderOf(port, system)).toBe('logger (process 12)');
  });

  test('is named by its service where /proc hides the processes of other users, as from the daemon', async () => {
    const port = join(realpathSync(tmpdir()), `tillbeacon-hidden-${process.pid}`);
    writeFileSync(port, '');
    folders.push(port);
    const { dev, ino } = statSync(port);
    const device = `${[(dev >> 8) & 0xfff, (dev & 0xff) | ((dev >> 12) & 0xfff00)].map((number) => number.toString(16).padStart(2, '0')).join(':')}:${ino}`;
    const system = proc();
    writeFileSync(
      join(system.proc, 'locks'),
      `2: FLOCK  ADVISORY  WRITE ${process.ppid} ${device} 0 EOF\n`,
    );
    expect(await holderOf(port, { ...system, cgroup: system.proc })).toBe(
      `process ${process.ppid} of another user`,
    );
    const service = join(system.proc, 'system.slice/ModemManager.service');
    mkdirSync(service, { recursive: true });
    writeFileSync(join(service, 'cgroup.procs'), `611\n${process.ppid}\n`);
    expect(await holderOf(port, { ...system, cgroup: system.proc })).toBe(
      `ModemManager (process ${process.ppid})`,
    );
  });

  test('a name that a process has chosen for itself is cleaned', async () =>
    expect(
      await holderOf(
        '/dev/ttyUSB0',
        proc({ id: 4711, comm: 'a\u001b[31mb\u202ec', opens: ['/dev/ttyUSB0'] }),
      ),
    ).toBe('ab c (process 4711)'));
});

describe('programs that take adapters by themselves', () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  const system = (names: readonly string[], services: Readonly<Record<string, string>>) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tillbeacon-claimers-')));
    folders.push(folder);
    for (const [index, name] of names.entries()) {
      mkdirSync(join(folder, 'proc', String(100 + index)), { recursive: true });
      writeFileSync(join(folder, 'proc', String(100 + index), 'comm'), `${name}\n`);
    }
    for (const [name, ids] of Object.entries(services)) {
      mkdirSync(join(folder, 'cgroup/system.slice', `${name}.service`), { recursive: true });
      writeFileSync(join(folder, 'cgroup/system.slice', `${name}.service`, 'cgroup.procs'), ids);
    }
    return { proc: join(folder, 'proc'), cgroup: join(folder, 'cgroup') };
  };

  test('are found by their processes, and by their services where processes are hidden', async () => {
    expect(await runningClaimers(system(['bash', 'brltty'], {}))).toEqual([
      { claimer: 'brltty', name: 'brltty' },
    ]);
    expect(
      await runningClaimers(
        system(['bash'], { ModemManager: '612\n', gpsd: '', 'brltty-device@usb': '77\n' }),
      ),
    ).toEqual([
      { claimer: 'brltty', name: 'brltty' },
      { claimer: 'modemManager', name: 'ModemManager' },
    ]);
    expect(await runningClaimers(system([], {}))).toEqual([]);
    expect(await runningClaimers({ proc: '/nowhere', cgroup: '/nowhere' })).toEqual([]);
  });
});
