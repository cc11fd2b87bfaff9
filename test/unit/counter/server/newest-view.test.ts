import { expect, test } from 'vitest';
import { maxBufferedBytes, sendNewest } from '../../../../main/counter/server/newest-view.ts';
import type { ToPage } from '../../../../preload/contract.ts';

const view = (name: string): ToPage => ({
  t: 'q',
  m: 'view',
  a: [{ lanes: [{ laneId: '1', name }], lane: null, demo: null }],
});

/** A connection that sends what it is given only when the test says so. */
function connection() {
  const sent: string[] = [];
  const sendCallbacks: (() => void)[] = [];
  const outlet = {
    isOpen: true,
    bufferedAmount: 0,
    send(text: string, finishSend: () => void) {
      const message = JSON.parse(text) as ToPage;
      sent.push(
        message.t === 's'
          ? `answer ${message.i}`
          : message.m === 'view'
            ? (message.a[0].lanes[0]?.name ?? '')
            : message.m,
      );
      sendCallbacks.push(finishSend);
    },
  };
  return { outlet, sent, taken: sendCallbacks, send: sendNewest(outlet) };
}

test('a slow screen skips to the newest view, and still gets its answers', () => {
  const { outlet, sent, taken, send } = connection();
  send(view('a'));
  outlet.bufferedAmount = maxBufferedBytes + 1;
  send(view('b'));
  send(view('c'));
  send({ t: 's', i: '1', r: { ok: true, value: {} } });
  expect(sent).toEqual(['a', 'answer 1']);
  outlet.bufferedAmount = 0;
  for (const finishSend of taken.splice(0)) finishSend();
  expect(sent).toEqual(['a', 'answer 1', 'c']);
});

test('an older view never follows a newer one', () => {
  const { outlet, sent, taken, send } = connection();
  send(view('a'));
  outlet.bufferedAmount = maxBufferedBytes + 1;
  send(view('b'));
  outlet.bufferedAmount = maxBufferedBytes - 1;
  send(view('c'));
  outlet.bufferedAmount = 0;
  for (const onTaken of taken.splice(0)) onTaken();
  expect(sent).toEqual(['a', 'c']);
});

test('a connection that is closed is not written to', () => {
  const { outlet, sent, send } = connection();
  outlet.isOpen = false;
  send(view('a'));
  expect(sent).toEqual([]);
});
