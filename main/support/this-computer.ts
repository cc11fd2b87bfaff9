import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

export const Computer = z.object({
  /** The same on one installation of a system, and on no other. */
  id: z.string(),
  /** For people. */
  name: z.string(),
});
export type Computer = z.infer<typeof Computer>;

/** @returns null where the system has no id, e.g. in a container */
export function thisComputer(): Computer | null {
  try {
    const id = /[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}/i.exec(systemId())?.[0];
    // Hashed, because the system's own id is not for others (machine-id(5)), and the data folder
    // may be copied.
    return id === undefined
      ? null
      : {
          id: createHash('sha256').update(`tillbeacon ${id}`).digest('hex').slice(0, 32),
          name: hostname(),
        };
  } catch {
    return null;
  }
}

function systemId(): string {
  switch (process.platform) {
    case 'win32':
      return answerTo(
        join(process.env['SystemRoot'] ?? String.raw`C:\Windows`, 'System32', 'reg.exe'),
        ['query', String.raw`HKLM\SOFTWARE\Microsoft\Cryptography`, '/v', 'MachineGuid', '/reg:64'],
      );
    case 'darwin':
      return (
        /"IOPlatformUUID" = .*/.exec(
          answerTo('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']),
        )?.[0] ?? ''
      );
    default:
      return readFileSync('/etc/machine-id', 'utf8');
  }
}

const answerTo = (program: string, args: readonly string[]): string =>
  execFileSync(program, args, {
    encoding: 'utf8',
    timeout: 5_000,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
