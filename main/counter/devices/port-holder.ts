import { readdir, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { systemCodeOf } from '../../core/domain/errors.ts';
import { outsideText } from '../../core/domain/outside-text.ts';
import { type PortClaimer, portClaimers } from '../../core/domain/till-links.ts';

/** Where the system tells about processes and services; tests have folders of their own. */
export interface SystemFolders {
  readonly proc?: string;
  /** Services' processes, also of users whose processes `/proc` hides from this one. */
  readonly cgroup?: string;
}

/**
 * The program that uses a port, e.g. `minicom (process 4711)`: the one that has locked it, or else
 * has it open; null when the system does not tell. Linux shows locks to everybody, open files only
 * to the same user and to root. Of a process that is hidden, the service that it belongs to is
 * named.
 */
export async function holderOf(path: string, folders: SystemFolders = {}): Promise<string | null> {
  const { proc = '/proc', cgroup = '/sys/fs/cgroup' } = folders;
  const locker = await lockerOf(path, proc);
  const program =
    (await programOf(locker, proc)) ??
    (await serviceOf(locker, cgroup)) ??
    (await programOf(await openerOf(path, proc), proc));
  return (
    program ??
    (locker !== null && isAlive(Number(locker)) ? `process ${locker} of another user` : null)
  );
}

/**
 * How each program that takes serial adapters by itself is called as a process and as a service.
 */
const claimerNames: Readonly<Record<PortClaimer, string>> = {
  brltty: 'brltty',
  modemManager: 'ModemManager',
  gpsd: 'gpsd',
};
const claimerIn = (name: string): PortClaimer | null =>
  portClaimers.find((claimer) => name.startsWith(claimerNames[claimer])) ?? null;

/** Which of the programs that take adapters by themselves a holder is; null for any other. */
export const claimerOf = (holder: string | null): PortClaimer | null =>
  holder === null ? null : claimerIn(holder);

export interface RunningClaimer {
  readonly claimer: PortClaimer;
  readonly name: string;
}

/**
 * The programs that take adapters by themselves and run on this computer, by their process or
 * service.
 */
export async function runningClaimers({
  proc = '/proc',
  cgroup = '/sys/fs/cgroup',
}: SystemFolders = {}): Promise<RunningClaimer[]> {
  const names = new Set<string>();
  for (const id of await processes(proc)) names.add((await nameOf(id, proc)) ?? '');
  for (const { name, ids } of await services(cgroup)) if (ids.length > 0) names.add(name);
  const running = new Set([...names].map(claimerIn));
  return portClaimers
    .filter((claimer) => running.has(claimer))
    .map((claimer) => ({ claimer, name: claimerNames[claimer] }));
}

/**
 * null when the process has ended. A lock can outlive the process that took it, in a process that
 * has inherited it.
 */
async function programOf(id: string | null, proc: string): Promise<string | null> {
  if (id === null) return null;
  if (Number(id) === process.pid) return 'Tillbeacon itself';
  const name = await nameOf(id, proc);
  return name === null ? null : `${outsideText(name, maxNameLength)} (process ${id})`;
}

/** null when the process has ended, or is hidden. */
async function nameOf(id: string, proc: string): Promise<string | null> {
  const name = await textIn(join(proc, id, 'comm'));
  if (name !== nameOfNode) return name;
  const [program = ''] = ((await textIn(join(proc, id, 'cmdline'))) ?? '').split('\0');
  return basename(program) || name;
}

/** What Node calls its first thread, and with it each program that runs in it. */
const nameOfNode = 'MainThread';

/** Also of a process that `/proc` hides. */
function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return systemCodeOf(error) === 'EPERM';
  }
}

/** What the kernel keeps of a name. */
const maxNameLength = 15;

async function serviceOf(id: string | null, cgroup: string): Promise<string | null> {
  if (id === null) return null;
  const service = (await services(cgroup)).find(({ ids }) => ids.includes(id));
  return service === undefined ? null : `${service.name} (process ${id})`;
}

/** The system's services and their processes. */
async function services(cgroup: string): Promise<{ name: string; ids: string[] }[]> {
  const processes = [];
  for (const slice of [join(cgroup, 'system.slice'), join(cgroup, 'systemd/system.slice')]) {
    const names = (await readdir(slice).catch(() => [])).filter((name) =>
      name.endsWith('.service'),
    );
    for (const name of names) {
      const ids = (await textIn(join(slice, name, 'cgroup.procs'))) ?? '';
      processes.push({ name: basename(name, '.service'), ids: ids.split('\n').filter(Boolean) });
    }
  }
  return processes;
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
  for (const id of await processes(proc)) {
    const folder = join(proc, id, 'fd');
    // One after the other, because there can be thousands and a payment may be under way.
    for (const fd of await readdir(folder).catch(() => []))
      if ((await readlink(join(folder, fd)).catch(() => null)) === device) return id;
  }
  return null;
}

const processes = async (proc: string): Promise<string[]> =>
  (await readdir(proc).catch(() => [])).filter((name) => /^\d+$/.test(name));

/** null when it cannot be read. */
const textIn = async (path: string): Promise<string | null> =>
  (await readFile(path, 'utf8').catch(() => null))?.trim() ?? null;
