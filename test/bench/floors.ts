/**
 * What a latency cannot go below on this machine, just now: an echo over a socket, an empty HTTP
 * request, a commit of SQLite, a process.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

const peer = fileURLToPath(new URL('echo-peer.ts', import.meta.url));
/** An authorisation's length. */
const message = new Uint8Array(13);

export interface FloorSample {
  readonly echo: number;
  readonly http: number;
  readonly commit: number;
}

export class Floors {
  readonly #process: ChildProcess;
  readonly #socket: Socket;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #folder = mkdtempSync(join(tmpdir(), 'tillbeacon-floor-'));
  readonly #db: DatabaseSync;
  readonly #httpUrl: string;

  private constructor(process: ChildProcess, socket: Socket, httpPort: number) {
    this.#process = process;
    this.#socket = socket;
    this.#httpUrl = `http://127.0.0.1:${httpPort}`;
    this.#db = new DatabaseSync(join(this.#folder, 'floor.sqlite'));
    // The same durability as the journal's.
    this.#db.exec(
      'pragma journal_mode = wal; pragma synchronous = full; create table event (at integer, what text)',
    );
  }

  static async open(): Promise<Floors> {
    const child = spawn(process.execPath, [peer], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const ports = JSON.parse(line) as { echo: number; http: number };
    const socket = connect({ host: '127.0.0.1', port: ports.echo, noDelay: true });
    await once(socket, 'connect');
    return new Floors(child, socket, ports.http);
  }

  /** Its first paint is a browser's floor. */
  get emptyPage(): string {
    return `${this.#httpUrl}/page`;
  }

  async measure(count: number): Promise<FloorSample[]> {
    const samples: FloorSample[] = [];
    for (let n = -5; n < count; n += 1) {
      const sample = {
        echo: await timed(() => this.#echo()),
        http: await timed(() => this.#request()),
        commit: await timed(() => this.#commit()),
      };
      if (n >= 0) samples.push(sample);
    }
    return samples;
  }

  async close(): Promise<void> {
    this.#socket.destroy();
    this.#agent.destroy();
    this.#db.close();
    this.#process.kill('SIGKILL');
    await once(this.#process, 'close');
    rmSync(this.#folder, { recursive: true });
  }

  async #echo(): Promise<void> {
    const back = once(this.#socket, 'data');
    this.#socket.write(message);
    await back;
  }

  #request(): Promise<void> {
    return new Promise((resolve, reject) => {
      get(this.#httpUrl, { agent: this.#agent }, (response) =>
        response.resume().once('end', resolve),
      ).once('error', reject);
    });
  }

  async #commit(): Promise<void> {
    this.#db.prepare('insert into event values (?, ?)').run(1, 'intended');
  }
}

/** Measures a bare process, from its start to its first line, and from SIGTERM to its end. */
export async function measureBareProcess(): Promise<{ startMs: number; stopMs: number }> {
  const startedAtMs = performance.now();
  const child = spawn(
    process.execPath,
    ['-e', 'setInterval(() => {}, 1e9); process.stdout.write("ready")'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(child.stdout, 'data');
  const readyAtMs = performance.now();
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
  return { startMs: readyAtMs - startedAtMs, stopMs: performance.now() - readyAtMs };
}

async function timed(run: () => Promise<void>): Promise<number> {
  const startedAtMs = performance.now();
  await run();
  return performance.now() - startedAtMs;
}
