import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './processes.ts';

/**
 * Boots this computer's own Debian once more beside it: systemd as the first process of namespaces
 * of its own, over a copy of all files that is in memory and written to instead of them. The
 * network alone is shared. What is installed is left out, and the kernel's settings cannot be
 * written.
 */
const boot = `
set -e
mount -t tmpfs tmpfs "$1"
mkdir "$1/changed" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/changed,workdir=$1/work" "$1/root"
cd "$1/root"
mount -t proc proc proc
mount --bind proc/sys proc/sys
mount -o remount,ro,bind proc/sys
for folder in run tmp dev sys; do mount -t tmpfs tmpfs $folder; done
mkdir -p sys/fs/cgroup dev/pts dev/shm
mount -t cgroup2 none sys/fs/cgroup
for device in null zero full random urandom; do touch dev/$device; mount --bind /dev/$device dev/$device; done
touch dev/console; mount --bind /dev/null dev/console
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
rm -rf etc/systemd/system/*.wants
for unit in systemd-sysctl systemd-modules-load systemd-timesyncd console-getty; do ln -sf /dev/null etc/systemd/system/$unit.service; done
exec chroot . env -i container=other PATH="$PATH" /lib/systemd/systemd --system --unit=multi-user.target
`;

const namespaces = ['--pid', '--fork', '--kill-child', '--mount', '--cgroup', '--uts', '--ipc'];

/**
 * What this computer lacks; null when it lacks nothing. @throws Error when it lacks something
 * although TILLBEACON_BOOT_REQUIRED is set
 */
export function bootingNeeds(): string | null {
  const lacking = lacks();
  if (lacking !== null && process.env['TILLBEACON_BOOT_REQUIRED'] === '1')
    throw new Error(`no Debian can be booted here: it needs ${lacking}`);
  return lacking;
}

function lacks(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'Linux and root';
  const tools = ['dpkg', 'systemctl', 'systemd-notify', 'unshare', 'nsenter'];
  const missing = tools.find(
    (tool) => spawnSync(tool, ['--version'], { stdio: 'ignore' }).error !== undefined,
  );
  if (missing !== undefined) return missing;
  const mayMount =
    spawnSync('unshare', [...namespaces, 'sh', '-c', 'mount -t cgroup2 none /mnt']).status === 0;
  return mayMount ? null : 'namespaces and version 2 of control groups';
}

export class BootedDebian {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tillbeacon-debian-'));
  readonly #unshare: ChildProcess;
  #pid = 0;

  private constructor() {
    this.#unshare = spawn('unshare', [...namespaces, 'sh', '-c', boot, 'sh', this.#folder], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }

  static async open(): Promise<BootedDebian> {
    const debian = new BootedDebian();
    const outside = debian.#unshare.pid as number;
    await until(() => {
      debian.#pid = Number(
        readFileSync(`/proc/${outside}/task/${outside}/children`, 'utf8').trim(),
      );
      return debian.#pid > 0 && readFileSync(`/proc/${debian.#pid}/comm`, 'utf8') === 'systemd\n';
    }, 'systemd');
    await until(
      () => debian.tried('systemctl', 'is-active', 'multi-user.target').stdout === 'active\n',
      'Debian to boot',
    );
    return debian;
  }

  tried(...command: readonly string[]): {
    readonly status: number | null;
    readonly stdout: string;
    readonly stderr: string;
  } {
    const inside = [
      '--target',
      String(this.#pid),
      '--mount',
      '--pid',
      '--uts',
      '--ipc',
      '--root',
      '--wd',
    ];
    return spawnSync('nsenter', [...inside, ...command], {
      encoding: 'utf8',
      timeout: 60_000,
      env: { PATH: process.env['PATH'], DEBIAN_FRONTEND: 'noninteractive' },
    });
  }

  /** @throws Error with the command's output when it fails */
  run(...command: readonly string[]): string {
    const { status, stdout, stderr } = this.tried(...command);
    if (status !== 0)
      throw new Error(`${command.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
    return stdout;
  }

  /** A property of a unit, as `systemctl show` says it. */
  shown(unit: string, property: string): string {
    return this.run('systemctl', 'show', unit, `--property=${property}`, '--value').trim();
  }

  /** A path inside the system, as seen from outside. */
  inside(path: string): string {
    return `/proc/${this.#pid}/root${path}`;
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#unshare.once('close', resolve));
    this.#unshare.kill('SIGKILL');
    await ended;
    rmdirSync(this.#folder);
  }
}
