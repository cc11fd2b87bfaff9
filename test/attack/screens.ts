import { request } from 'node:http';
import { WebSocket } from 'ws';
import { socketPath } from '../../preload/contract.ts';
import { Counter } from '../support/counter.ts';
import { attackArea } from './attack.ts';

/** Whoever reaches the screens' port: web pages, other users' programs, displays in the network. */
export const screensArea = attackArea('screens', {
  open: () => Counter.open({ transport: 'tcp' }),
  close: (counter) => counter.close(),
  attacks: [
    {
      name: 'a web page opens the screens’ WebSocket from its own origin',
      attempt: async ({ started }) => {
        const answers = await Promise.all(['http://evil.example', 'null', 'http://127.0.0.1:1'].map((origin) => upgrade(started.screens, { origin })));
        if (answers.some((answer) => answer !== 403)) throw new Error(`it was let in: ${answers.join(', ')}`);
        return 'refused with 403 each time';
      },
    },
    {
      name: 'a name in the DNS that points at this machine reads the pages and opens the WebSocket',
      attempt: async ({ started }) => {
        const { port } = new URL(started.screens);
        const host = `evil.example:${port}`;
        const answers = [await page(started.screens, host), await upgrade(started.screens, { host, origin: `http://${host}` })];
        if (answers.some((answer) => answer !== 403)) throw new Error(`it was answered: ${answers.join(', ')}`);
        return 'refused with 403';
      },
    },
  ],
});

/** @returns the status */
function page(screens: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(`${screens}/manager/index.html`, { headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

/** @returns the status: 101 when the line is open */
function upgrade(screens: string, { origin, host }: { readonly origin: string; readonly host?: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${screens.replace('http', 'ws')}${socketPath}`, { origin, ...(host === undefined ? {} : { headers: { host } }) });
    socket.on('open', () => {
      resolve(101);
      socket.terminate();
    });
    socket.on('unexpected-response', (_request, answer) => resolve(answer.statusCode ?? 0));
    socket.on('error', reject);
  });
}
