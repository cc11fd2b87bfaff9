import { existsSync } from 'node:fs';
import { SerialPort } from 'serialport';
import type { OpenSerialWire, Wire } from '../domain/wire.ts';

/** A driver that does not accept a block within this time has lost its device, even if it reports no error. */
const writeTimeoutMs = 2_000;
/** Closing can hang in a driver, so the wait is bounded. */
const closeTimeoutMs = 500;
/** Close events are unreliable after an unplug, so the port's path is checked as well. */
const watchEveryMs = 2_000;

/** Opens a serial port for a till: eight data bits, no parity, no flow control (ZVT PA00P016, section 2.1). */
export const openSerialWire: OpenSerialWire = ({ path, baudRate, stopBits }, listener) =>
  new Promise((resolve, reject) => {
    const port = new SerialPort({ path, baudRate, stopBits, dataBits: 8, parity: 'none', autoOpen: false });
    let gone = false;
    let watch: NodeJS.Timeout | undefined;
    const lose = (why: string): void => {
      if (gone) return;
      gone = true;
      clearInterval(watch);
      listener.lost(why);
    };
    port.on('data', (bytes: Buffer) => {
      if (!gone) listener.data(bytes);
    });
    port.on('error', (error) => lose(error.message));
    port.on('close', () => lose('the port was unplugged'));
    port.open((error) => {
      if (error) return reject(new Error(inPlainWords(path, error), { cause: error }));
      watch = setInterval(() => {
        // Windows has no path to check; there a failing write shows it.
        if (process.platform !== 'win32' && !existsSync(path)) lose('the port is no longer there');
        else if (!port.isOpen) lose('the port was closed');
      }, watchEveryMs);
      resolve(
        wireOver(port, lose, () => {
          gone = true;
          clearInterval(watch);
        }),
      );
    });
  });

function wireOver(port: SerialPort, lose: (why: string) => void, letGo: () => void): Wire {
  return {
    write(bytes) {
      return new Promise((resolve, reject) => {
        const timeout = setTimeout(() => {
          lose('the port does not take any bytes');
          reject(new Error('the port does not take any bytes'));
        }, writeTimeoutMs);
        port.write(Buffer.from(bytes), (error) => {
          clearTimeout(timeout);
          if (!error) return resolve();
          lose(error.message);
          reject(error);
        });
      });
    },
    close() {
      letGo();
      if (!port.isOpen) return Promise.resolve();
      return new Promise((resolve) => {
        const timeout = setTimeout(resolve, closeTimeoutMs);
        port.close(() => {
          clearTimeout(timeout);
          resolve();
        });
      });
    },
  };
}

function inPlainWords(path: string, error: Error): string {
  if (/ENOENT|No such file|File not found/i.test(error.message)) return `${path} is not there: is the cable plugged in?`;
  if (/lock|busy|Access denied|EBUSY/i.test(error.message)) return `${path} is used by another program`;
  if (/permission denied|EACCES/i.test(error.message)) return `${path} may not be used by this user (on Linux: add it to the group "dialout")`;
  return `${path}: ${error.message}`;
}
