import { EventEmitter } from 'node:events';
import type { IpcMain, WebContents } from 'electron';
import { expect, test } from 'vitest';
import { servePages } from '../../../../main/host/desktop/page-connections.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';

class Contents extends EventEmitter {
  mainFrame = { url: 'tillbeacon://screens/cashier/index.html' };
  isGone = false;
  readonly sent: unknown[] = [];
  isDestroyed = (): boolean => this.isGone;
  send = (channel: string, message: unknown): void => void this.sent.push([channel, message]);
}

function served() {
  const ipc = new EventEmitter();
  const ours = new Contents();
  const received: unknown[] = [];
  const sentToPages: unknown[] = [];
  const open: ((message: never) => void)[] = [];
  let closed = 0;
  servePages(ipc as IpcMain, {
    isWindow: (contents) => (contents as unknown) === ours,
    connect(send) {
      open.push(send);
      return {
        receive: (message) => (received.push(message), Promise.resolve()),
        close: () => void (closed += 1),
      };
    },
    onPage: (contents) => void sentToPages.push(contents),
    onBeat: (_contents: WebContents, beat) => received.push(['beat', beat]),
    log: silentLog,
  });
  const say = (
    channel: string,
    message: unknown,
    from: { sender?: Contents; senderFrame?: object | null } = {},
  ): void => {
    const { sender = ours, senderFrame = sender.mainFrame } = from;
    ipc.emit(channel, { sender, senderFrame }, message);
  };
  return { ipc, ours, received, told: sentToPages, open, say, closed: () => closed };
}

test('the messages of a window’s own page are read', () => {
  const { say, received } = served();
  say('tillbeacon:page', undefined);
  say('tillbeacon:message', 'a');
  say('tillbeacon:beat', 1);
  expect(received).toEqual(['a', ['beat', 1]]);
});

test('each page of a window is told what it has to know as soon as it is there', () => {
  const { say, told, ours } = served();
  say('tillbeacon:page', undefined);
  say('tillbeacon:page', undefined);
  say('tillbeacon:page', undefined, { senderFrame: { url: 'https://example.com/' } });
  expect(told).toEqual([ours, ours]);
});

test('no message of anybody else is read, on any channel', () => {
  const { say, received, open, ipc, ours } = served();
  const foreign = [
    { sender: new Contents() },
    { senderFrame: null },
    { senderFrame: { url: 'tillbeacon://screens/cashier/index.html' } },
    { senderFrame: { url: 'https://example.com/' } },
  ];
  expect(ipc.eventNames()).toEqual(['tillbeacon:page', 'tillbeacon:message', 'tillbeacon:beat']);
  for (const from of foreign)
    for (const channel of ipc.eventNames()) say(String(channel), 'a', from);
  for (const url of [
    'https://example.com/',
    'file:///etc/passwd',
    'tillbeacon://screens.evil/cashier/index.html',
    'about:blank',
  ]) {
    ours.mainFrame = { url };
    for (const channel of ipc.eventNames()) say(String(channel), 'a');
  }
  expect([received, open]).toEqual([[], []]);
});

test('a page’s connection ends with the next page in its window, and with the window', () => {
  const { say, ours, open, closed } = served();
  say('tillbeacon:page', undefined);
  say('tillbeacon:page', undefined);
  expect([closed(), ours.listenerCount('destroyed')]).toEqual([1, 1]);
  ours.emit('destroyed');
  expect(closed()).toBe(2);
  ours.isGone = true;
  open[1]?.({ t: 'q' } as never);
  expect(ours.sent).toEqual([]);
});
