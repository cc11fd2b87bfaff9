import { readdir, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The program that uses a port, e.g. `minicom (process 4711)`: the one that has locked it, or else has it open; null when the system does not tell. Linux
 * shows locks to everybody, and open files only to the same user and to root.
 */
export async function holderOf(path: string, { proc = '/proc' } = {}): Promise<string | null> {
  return (await programOf(await lockerOf(path, proc), proc)) ?? (await programOf(await openerOf(path, proc), proc));
}

/** null when the process has ended. A lock can outlive the process that took it, in a process that has inherited it. */
async function programOf(id: string | null, proc: string): Promise<string | null> {
  if (id === null) return null;
  if (Number(id) === process.pid) return 'Tillbeacon itself';
  const name = await readFile(join(proc, id, 'comm'), 'utf8').catch(() => null);
  return name === null ? null : `${name.trim()} (process ${id})`;
}

async function lockerOf(path: string, proc: string): Promise<string | null> {
  const node = await stat(path).catch(() => null);
  const locks = await readFile(join(proc, 'locks'), 'utf8').catch(() => '');
  if (node === null) return null;
  const major = (node.dev >> 8) & 0xfff;
  const minor = (node.dev & 0xff) | ((node.dev >> 12) & 0xfff00);
  const wanted = `${[major, minor].map((number) => number.toString(16).padStart(2, '0')).join(':')}:${node.ino}`;
  // A line is like `1: FLOCK  ADVISORY  WRITE 4711 00:05:1042 0 EOF`.
  const lock = locks.split('\n').find((line) => line.split(/\s+/)[5] === wanted);
  const id = lock?.split(/\s+/)[4];
  // 0 stands for a process in a container that is not visible here.
  return id === undefined || !/^[1-9]\d*$/.test(id) ? null : id;
}

async function openerOf(path: string, proc: string): Promise<string | null> {
  const device = await realpath(path).catch(() => path);
  const processes = (await readdir(proc).catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const id of processes) {
    const folder = join(proc, id, 'fd');
    // One after the other, because there can be thousands and a payment may be under way.
    for (const fd of await readdir(folder).catch(() => [])) if ((await readlink(join(folder, fd)).catch(() => null)) === device) return id;
  }
  return null;
}
