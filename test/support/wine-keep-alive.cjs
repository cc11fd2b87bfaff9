// Wine refuses TCP keep-alive on a socket that is not connected yet, and Node's fetch asks for it there. Windows takes it.
const { Socket } = require('node:net');

// oxlint-disable-next-line typescript/unbound-method -- it is applied to a socket below
const { setKeepAlive } = Socket.prototype;
Socket.prototype.setKeepAlive = function setKeepAliveOnceConnected(...args) {
  if (!this.connecting) return setKeepAlive.apply(this, args);
  this.once('connect', () => setKeepAlive.apply(this, args));
  return this;
};
