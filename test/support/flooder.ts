/**
 * A process that floods one port: it writes as fast as the other side reads, and reads whatever
 * comes back. It ends by itself. Its one argument is a `Flooding` in JSON.
 */
import { connect, type Socket } from 'node:net';

export interface Flooding {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** What a connection begins with, in base64; `waitsForAnswer` before it goes on. */
  readonly head?: string;
  readonly waitsForAnswer?: boolean;
  /** What it repeats without end, in base64. */
  readonly unit: string;
  /** How many bytes a connection sends, by default without end. */
  readonly maxBytes?: number;
  /** Sends each byte alone. */
  readonly inSingleBytes?: boolean;
  /** Closes a connection after one unit, and opens the next. */
  readonly reconnects?: boolean;
}

const chunkBytes = 65_536;
const singleBytesInTurn = 64;

const flooding = JSON.parse(process.argv[2] ?? '') as Flooding;
const unit = Buffer.from(flooding.unit, 'base64');
const head = Buffer.from(flooding.head ?? '', 'base64');
const many = Buffer.concat(
  Array.from({ length: Math.max(1, Math.floor(chunkBytes / unit.length)) }, () => unit),
);
const endsAtMs = performance.now() + flooding.seconds * 1_000;
const counts = { connections: 0, bytes: 0 };

function write(socket: Socket): void {
  let left = flooding.maxBytes ?? Number.POSITIVE_INFINITY;
  const isOver = (): boolean => socket.destroyed || left <= 0 || performance.now() > endsAtMs;
  const fill = (): void => {
    while (!isOver()) {
      const bytes = left < many.length ? many.subarray(0, left) : many;
      left -= bytes.length;
      counts.bytes += bytes.length;
      if (!socket.write(bytes)) return void socket.once('drain', fill);
    }
  };
  let at = 0;
  const dribble = (): void => {
    for (let count = 0; count < singleBytesInTurn && !isOver(); count += 1) {
      socket.write(many.subarray(at, at + 1));
      at = (at + 1) % many.length;
      counts.bytes += 1;
    }
    if (!isOver()) setImmediate(dribble);
  };
  if (flooding.inSingleBytes) dribble();
  else if (flooding.reconnects) socket.end(unit);
  else fill();
}

function open(): void {
  if (performance.now() > endsAtMs) return;
  counts.connections += 1;
  const socket = connect({ host: '127.0.0.1', port: flooding.port, noDelay: true });
  socket.on('error', () => {});
  socket.resume();
  socket.once('close', () => setTimeout(open, flooding.reconnects ? 0 : 20));
  socket.once('connect', () => {
    if (head.length > 0) socket.write(head);
    if (flooding.waitsForAnswer) socket.once('data', () => write(socket));
    else write(socket);
  });
}

for (let each = 0; each < flooding.connections; each += 1) open();
setTimeout(() => {
  process.stdout.write(`${JSON.stringify(counts)}\n`);
  process.exit(0);
}, flooding.seconds * 1_000);
