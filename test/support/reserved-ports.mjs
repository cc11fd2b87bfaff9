// Loaded before a program, this makes the system refuse ports as Windows does where Hyper-V or WSL
// has reserved them: TILLBEACON_TEST_RESERVED is a range, e.g. 4180-4279.
import { Server } from 'node:net';

const [first, last] = (process.env.TILLBEACON_TEST_RESERVED ?? '').split('-').map(Number);
// oxlint-disable-next-line typescript/unbound-method -- it is called with the server below
const { listen } = Server.prototype;

Server.prototype.listen = function (...args) {
  const port = typeof args[0] === 'object' ? args[0]?.port : args[0];
  if (!(port >= first && port <= last)) return listen.apply(this, args);
  const error = new Error(`listen EACCES: permission denied ${port}`);
  process.nextTick(() =>
    this.emit('error', Object.assign(error, { code: 'EACCES', syscall: 'listen', port })),
  );
  return this;
};
