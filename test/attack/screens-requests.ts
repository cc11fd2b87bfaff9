/** Requests to the screens' server with a chosen host and origin. */
import { request } from 'node:http';
import { WebSocket } from 'ws';
import { socketPath } from '../../preload/contract.ts';

/** @returns the status */
export function page(address: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(address, { headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

/** @returns the status: 101 when the line is open */
export function upgrade(
  screens: string,
  { origin, host }: { readonly origin: string; readonly host?: string },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${screens.replace('http', 'ws')}${socketPath}`, {
      origin,
      ...(host === undefined ? {} : { headers: { host } }),
    });
    socket.on('open', () => {
      resolve(101);
      socket.terminate();
    });
    socket.on('unexpected-response', (_request, answer) => resolve(answer.statusCode ?? 0));
    socket.on('error', reject);
  });
}
