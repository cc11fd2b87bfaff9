import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Which program has a port open, e.g. `minicom (process 4711)`. Linux tells this of programs of the own user, to root of all.
 * null: the system does not tell.
 */
export async function holderOf(path: string, { proc = '/proc' } = {}): Promise<string | null> {
  const device = await realpath(path).catch(() => path);
  const processes = (await readdir(proc).catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const id of processes) {
    const folder = join(proc, id, 'fd');
    // One after the other: a payment may be under way, and there can be thousands.
    for (const fd of await readdir(folder).catch(() => [])) {
      if ((await readlink(join(folder, fd)).catch(() => null)) !== device) continue;
      if (Number(id) === process.pid) return 'Tillbeacon itself';
      const name = await readFile(join(proc, id, 'comm'), 'utf8').catch(() => '');
      return `${name.trim() || 'a program'} (process ${id})`;
    }
  }
  return null;
}
