import { expect, test } from 'vitest';
import { type OpenProcedures, Procedures } from '../../../../main/counter/app/procedures.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import type { Session } from '../../../../main/counter/server/session.ts';

const session: Session = { manager: null };

class Opened implements OpenProcedures {
  readonly done: string[] = [];
  readonly router: OpenProcedures['router'] = {
    call: async (_session, name) => ({ ok: true, value: name }),
  };
  async endSetup(): Promise<void> {
    this.done.push('setup ended');
  }
  close(): void {
    this.done.push('closed');
  }
}

test('are loaded once, by the first call that needs them', async () => {
  let times = 0;
  const procedures = new Procedures(async () => {
    times += 1;
    return new Opened();
  }, silentLog);
  const [answer] = await Promise.all([
    procedures.call(session, 'dayTotals', {}),
    procedures.load(),
    procedures.load(),
  ]);
  expect([answer, times]).toEqual([{ ok: true, value: 'dayTotals' }, 1]);
});

test('that cannot be loaded fail the call alone, and are tried again with the next', async () => {
  const answers = [() => Promise.reject(new Error('no such file')), async () => new Opened()];
  const procedures = new Procedures(
    () => (answers.shift() as () => Promise<OpenProcedures>)(),
    silentLog,
  );
  expect(await procedures.call(session, 'dayTotals', {})).toEqual({
    ok: false,
    code: 'failed',
    field: null,
    message: 'no such file',
    facts: {},
  });
  expect(await procedures.call(session, 'dayTotals', {})).toEqual({ ok: true, value: 'dayTotals' });
});

test('are closed when they were loaded, and are not loaded for that', async () => {
  const opened = new Opened();
  let times = 0;
  const open = async (): Promise<OpenProcedures> => {
    times += 1;
    return opened;
  };
  const [used, unused] = [new Procedures(open, silentLog), new Procedures(open, silentLog)];
  await used.load();
  for (const procedures of [used, unused]) {
    await procedures.endSetup();
    procedures.close();
    await procedures.load();
  }
  expect([opened.done, times]).toEqual([['setup ended', 'closed'], 1]);
});

test('that are still being loaded are not waited for at the end', async () => {
  const procedures = new Procedures(() => new Promise(() => {}), silentLog);
  void procedures.load();
  await procedures.endSetup();
  procedures.close();
});
