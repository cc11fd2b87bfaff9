import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './processes.ts';

/**
 * systemd's side: a datagram socket, which Node has none of. Each message is a line of JSON; the
 * descriptor that `systemd-notify` waits for is closed.
 */
const receiver = `
import json, os, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
while True:
    data, descriptors, _, _ = socket.recv_fds(s, 8192, 4)
    for one in descriptors: os.close(one)
    print(json.dumps(data.decode()), flush=True)
`;

/** What this computer lacks for such a test; null when it lacks nothing. */
export const notifyToolMissing: string | null =
  ['systemd-notify', 'python3'].find(
    (tool) => spawnSync(tool, ['--version'], { stdio: 'ignore' }).error !== undefined,
  ) ?? null;

/** The messages that a service manager gets from a daemon. */
export class NotifySocket {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tillbeacon-notify-'));
  readonly path = join(this.#folder, 'notify');
  readonly #child: ChildProcess;
  #text = '';

  private constructor() {
    this.#child = spawn('python3', ['-c', receiver, this.path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child.stdout?.on('data', (chunk: Buffer) => (this.#text += chunk.toString()));
  }

  static async open(): Promise<NotifySocket> {
    const socket = new NotifySocket();
    // Sooner than the time of a test is over. A receiver that is left behind would hold the output
    // of the whole run open.
    await until(() => existsSync(socket.path), 'the socket', 20_000).catch((error: unknown) => {
      socket.close();
      throw error;
    });
    return socket;
  }

  /** The messages in order, without the barrier for which `systemd-notify` waits. */
  get messages(): string[][] {
    const lines = this.#text.split('\n').slice(0, -1);
    return lines
      .map((line) => (JSON.parse(line) as string).trim().split('\n'))
      .filter(([first]) => first !== 'BARRIER=1');
  }

  get said(): string[] {
    return this.messages.flat();
  }

  async hears(variable: string): Promise<void> {
    await until(
      () => this.said.includes(variable),
      `${variable} (it was told ${JSON.stringify(this.messages)})`,
    );
  }

  close(): void {
    this.#child.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
