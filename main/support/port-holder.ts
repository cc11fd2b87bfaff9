import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const anybody = 'another program';
const maxCommand = 200;

/**
 * Describes who listens on a TCP port of this machine. Only on Linux; for other users' programs
 * only the user is known.
 */
export function portHolder(port: number): string {
  if (process.platform !== 'linux') return anybody;
  try {
    const listener = listenerAt(port);
    if (listener === null) return anybody;
    const pid = processWith(`socket:[${listener.inode}]`);
    return pid === null
      ? `a program of another user (${listener.uid})`
      : `process ${pid} (${commandOf(pid)})`;
  } catch {
    return anybody;
  }
}

/** See proc_net_tcp in the kernel's documentation. */
function listenerAt(port: number): { readonly inode: string; readonly uid: string } | null {
  const listening = '0A';
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readFileSync(table, 'utf8').split('\n').slice(1)) {
      const [, local = '', , state, , , , uid = '', , inode = ''] = line.trim().split(/\s+/);
      if (state === listening && Number.parseInt(local.split(':')[1] ?? '', 16) === port)
        return { inode, uid };
    }
  }
  return null;
}

function processWith(link: string): string | null {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.find((pid) => descriptorsOf(pid).includes(link)) ?? null;
}

/** Empty for another user's process. */
function descriptorsOf(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((name) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${name}`);
      } catch {
        return '';
      }
    });
  } catch {
    return [];
  }
}

/** A process chooses its name, so control characters are removed for terminals and logs. */
function commandOf(pid: string): string {
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    .replaceAll(/\p{C}+/gu, ' ')
    .trim();
  return command.length > maxCommand ? `${command.slice(0, maxCommand)}…` : command;
}
