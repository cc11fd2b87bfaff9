import { describe, expect, test } from 'vitest';
import type { ToPage } from '../../../../preload/contract.ts';
import { openConnection } from '../../../../main/counter/server/connection.ts';
import type { Session } from '../../../../main/counter/server/session.ts';
import { answerMessage, callMessage, watchMessage } from '../../../support/contract-client.ts';
import { ScriptedViews } from './scripted-views.ts';
import { settled } from '../../support/manual-clock.ts';

function open() {
  const scripted = new ScriptedViews();
  const sent: ToPage[] = [];
  const connection = openConnection({ views: scripted, router: scripted }, (message) =>
    sent.push(message),
  );
  return {
    scripted,
    sent,
    connection,
    watch: (screen: string, laneId: string | null) =>
      connection.receive(watchMessage({ screen, laneId })),
  };
}

describe('a connection', () => {
  test('shows what is watched at once, and each change of it; the first lane when none is named', async () => {
    const { scripted, sent, watch } = open();
    void watch('cashier', null);
    expect(sent).toMatchObject([{ m: 'view', a: [{ lane: { laneId: '1' } }] }]);
    scripted.change();
    scripted.change();
    await settled();
    expect(sent).toHaveLength(2);
    scripted.change('2');
    await settled();
    expect(sent).toHaveLength(2);
  });

  test('a change is shown after what it caused, the answer to the till, and before what comes in the next turn', async () => {
    const order: string[] = [];
    const scripted = new ScriptedViews();
    void openConnection({ views: scripted, router: scripted }, () => order.push('view')).receive(
      watchMessage({ screen: 'cashier', laneId: '1' }),
    );
    order.length = 0;
    setImmediate(() => {
      scripted.change();
      void Promise.resolve().then(() => order.push('answer'));
      setImmediate(() => order.push('next turn'));
    });
    await settled();
    await settled();
    expect(order).toEqual(['answer', 'view', 'next turn']);
  });

  test('a lane that is not there is null, not an error', () => {
    const { sent, watch } = open();
    void watch('customer', '7');
    expect(sent).toMatchObject([{ a: [{ lane: null }] }]);
  });

  test('answers calls, each with its own id; who signed in is forgotten when it closes', async () => {
    const { scripted, sent, connection } = open();
    expect(connection.receive(callMessage(9, 'session', {}))).not.toBeNull();
    await settled();
    expect(sent).toEqual([answerMessage(9, { ok: true, value: {} })]);
    expect(scripted.calls).toMatchObject([{ name: 'session', input: {} }]);
    const session = scripted.calls[0]?.session as Session;
    session.manager = { managerId: 'm', name: 'Ada' };
    await connection.receive(callMessage(10, 'session', {}));
    expect(scripted.calls[1]?.session).toBe(session);
    connection.close();
    expect(session.manager).toBeNull();
  });

  test.each([
    ['no message', 'hello'],
    ['a screen that does not exist', watchMessage({ screen: 'kitchen', laneId: null })],
    ['an event that is not a watch', { t: 'q', m: 'cancelSale', a: [{}] }],
    ['an answer, which only the daemon gives', answerMessage(1, { ok: true, value: {} })],
    ['a call with two inputs', { ...callMessage(1, 'session', {}), a: [{}, {}] }],
    ['a call with more than the contract has', { ...callMessage(1, 'session', {}), o: true }],
    ['a call with a long id', callMessage('x'.repeat(41), 'session', {})],
  ])('takes nothing that is not of the contract: %s', (_what, message) => {
    const { scripted, sent, connection } = open();
    expect(connection.receive(message)).toBeNull();
    expect([scripted.calls, sent]).toEqual([[], []]);
  });

  test('that is closed sends nothing any more', async () => {
    const { scripted, sent, connection, watch } = open();
    void watch('cashier', '1');
    connection.close();
    scripted.change();
    await settled();
    expect(sent).toHaveLength(1);
    expect(scripted.listeners.size).toBe(0);
  });
});
