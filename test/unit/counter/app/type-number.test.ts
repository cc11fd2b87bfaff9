/** A customer's number is accepted from the customer's screen of that lane only. */
import { expect, test } from 'vitest';
import type { Counter } from '../../../../main/counter/app/counter.ts';
import { counterHandlers } from '../../../../main/counter/app/counter-handlers.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { openConnection } from '../../../../main/counter/server/connection.ts';
import { Router } from '../../../../main/counter/server/router.ts';
import type { Watch } from '../../../../preload/contract.ts';
import { ScriptedViews } from '../server/scripted-views.ts';

function page() {
  const typed: string[] = [];
  const lane = (id: string) => ({
    id,
    naming: {
      byCustomer: (number: string) => (
        typed.push(`${id} ${number}`), number === 'wrong' ? 'wrongNumber' : 'named'
      ),
    },
  });
  const counter = { lanes: [lane('1'), lane('2')] } as unknown as Counter;
  const middleware = { mayCall: () => true, record() {}, recordRefused() {} };
  const router = new Router({
    handlers: counterHandlers(() => counter),
    middleware,
    log: silentLog,
  });
  const answers: unknown[] = [];
  const connection = openConnection(
    { views: new ScriptedViews(), router },
    (message) => message.t === 's' && answers.push(message.r),
  );
  return {
    typed,
    watch: (watch: Watch) => connection.receive({ t: 'q', m: 'watch', a: [watch] }),
    async type(laneId: string, phoneNumber = '20031801') {
      await connection.receive({ t: 'q', i: '1', m: 'typeNumber', a: [{ laneId, phoneNumber }] });
      return answers.pop();
    },
  };
}

test('the customer’s screen of the lane types it, also where it shows the first one', async () => {
  const at = page();
  await at.watch({ screen: 'customer', laneId: '2' });
  expect(await at.type('2')).toMatchObject({ ok: true });
  await at.watch({ screen: 'customer', laneId: null });
  expect(await at.type('1')).toMatchObject({ ok: true });
  expect(await at.type('1', 'wrong')).toMatchObject({ ok: false, code: 'wrongNumber' });
  expect(at.typed).toEqual(['2 20031801', '1 20031801', '1 wrong']);
});

test.each<[string, Watch | null]>([
  ['a page that shows nothing', null],
  ['the customer’s screen of another lane', { screen: 'customer', laneId: '2' }],
  ['the cashier’s screen', { screen: 'cashier', laneId: '1' }],
  ['the manager’s screen', { screen: 'manager', laneId: '1' }],
  ['a customer’s screen that nobody sees', { screen: 'customer', laneId: '1', hidden: true }],
])('%s types none: nobody is asked', async (_what, watch) => {
  const at = page();
  if (watch !== null) await at.watch(watch);
  expect(await at.type('1')).toMatchObject({ ok: false, code: 'noneNamed' });
  expect(at.typed).toEqual([]);
});
