// Wine refuses TCP keep-alive on a socket that is not connected yet, and Node's fetch asks for it there. Windows takes it.
const { Socket } = require('node:net');

const { value: setKeepAlive } = Object.getOwnPropertyDescriptor(Socket.prototype, 'setKeepAlive');
Socket.prototype.setKeepAlive = function setKeepAliveOnceConnected(...args) {
  if (!this.connecting) return setKeepAlive.apply(this, args);
  this.once('connect', () => setKeepAlive.apply(this, args));
  return this;
};
