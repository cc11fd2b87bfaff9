import { expect, test } from 'vitest';
import { mostBufferedBytes, sendNewest } from '../../../main/server/newest-view.ts';
import type { ToScreen } from '../../../preload/contract.ts';

const view = (name: string): ToScreen => ({ type: 'view', view: { lanes: [{ laneId: '1', name }], lane: null, demo: null } });

/** A line that takes over what it is given when the test says so. */
function line() {
  const sent: string[] = [];
  const taken: (() => void)[] = [];
  const outlet = {
    isOpen: true,
    bufferedAmount: 0,
    send(text: string, onTaken: () => void) {
      const message = JSON.parse(text) as ToScreen;
      sent.push(message.type === 'view' ? (message.view.lanes[0]?.name ?? '') : `result ${message.id}`);
      taken.push(onTaken);
    },
  };
  return { outlet, sent, taken, send: sendNewest(outlet) };
}

test('a slow screen skips to the newest view, and still gets its results', () => {
  const { outlet, sent, taken, send } = line();
  send(view('a'));
  outlet.bufferedAmount = mostBufferedBytes + 1;
  send(view('b'));
  send(view('c'));
  send({ type: 'result', id: 1, result: { ok: true } });
  expect(sent).toEqual(['a', 'result 1']);
  outlet.bufferedAmount = 0;
  for (const onTaken of taken.splice(0)) onTaken();
  expect(sent).toEqual(['a', 'result 1', 'c']);
});

test('an older view never follows a newer one', () => {
  const { outlet, sent, taken, send } = line();
  send(view('a'));
  outlet.bufferedAmount = mostBufferedBytes + 1;
  send(view('b'));
  outlet.bufferedAmount = mostBufferedBytes - 1;
  send(view('c'));
  outlet.bufferedAmount = 0;
  for (const onTaken of taken.splice(0)) onTaken();
  expect(sent).toEqual(['a', 'c']);
});

test('a line that is closed is not written to', () => {
  const { outlet, sent, send } = line();
  outlet.isOpen = false;
  send(view('a'));
  expect(sent).toEqual([]);
});
