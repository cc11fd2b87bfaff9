/**
 * Waits for an answer at a socket, for half a second by the system clock:
 * `clock-child.ts busy|stopped <port>`. Tells its parent what came first.
 */
import { connect } from 'node:net';
import { systemClock } from '../../../../main/core/domain/clock.ts';

const socket = connect(Number(process.argv[3]), '127.0.0.1');
const tell = (what: string): void => void process.send?.(what);
process.on('message', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200));
socket.on('connect', () => {
  const cancel = systemClock.after(500, () => tell('expired'));
  socket.on('data', () => {
    cancel();
    tell('answered');
  });
  tell('waits');
});
