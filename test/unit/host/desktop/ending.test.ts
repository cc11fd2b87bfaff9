import { expect, test } from 'vitest';
import { Ending } from '../../../../main/host/desktop/ending.ts';
import type { UnderWay } from '../../../../main/host/desktop/under-way.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { SettingsError } from '../../../../main/support/settings/settings-error.ts';

const payment: UnderWay = {
  laneName: 'Check-out 1',
  amountMinor: 1234,
  currency: 'DKK',
  ends: 'undecided',
};

function program(interrupted: readonly UnderWay[] = []) {
  const did: string[] = [];
  const answers: ((response: number) => void)[] = [];
  const ending: Ending = new Ending({
    app: { exit: (code) => void did.push(`exit ${code}`), quit: () => void ending.quit() },
    dialog: {
      showErrorBox: (_title, text) => void did.push(text),
      showMessageBox: () =>
        new Promise((resolve) =>
          answers.push((response) => resolve({ response, checkboxChecked: false })),
        ),
    },
    interrupted: () => interrupted,
    language: () => 'en',
    parent: () => undefined,
    onStay: () => void did.push('stays'),
    close: () => Promise.resolve(void did.push('closed')),
    flush: () => {},
    log: silentLog,
  });
  return { ending, did, answers };
}

test('the app closes before it ends, without a question where nothing is under way', async () => {
  const { ending, did, answers } = program();
  await ending.quit();
  expect([did, answers.length, ending.isNow]).toEqual([['closed', 'exit 0'], 0, true]);
});

test('it asks once while something is under way, and stays when it is told to', async () => {
  const { ending, did, answers } = program([payment]);
  const quit = ending.quit();
  await ending.quit();
  expect(answers).toHaveLength(1);
  answers[0]?.(0);
  await quit;
  expect([did, ending.isNow]).toEqual([['stays'], false]);
  const again = ending.quit();
  answers[1]?.(1);
  await again;
  expect(did).toEqual(['stays', 'closed', 'exit 0']);
});

test('the end of the system waits for no answer, also where one is asked for', async () => {
  const { ending, did, answers } = program([payment]);
  const quit = ending.quit();
  ending.atOnce();
  await expect.poll(() => did).toEqual(['closed', 'exit 0']);
  answers[0]?.(0);
  await quit;
  expect(did).toEqual(['closed', 'exit 0']);
});

test('it says to its supervisor whether it is to be started again', async () => {
  const restarted = program([payment]);
  restarted.ending.restart();
  await expect.poll(() => restarted.did).toEqual(['closed', 'exit 75']);
  restarted.ending.crash(new Error('too late'));
  expect(restarted.did.at(-1)).toBe('exit 75');
  for (const [error, code] of [
    [new SettingsError(['--daemon: no port']), 2],
    [new Error('the disk is gone'), 3],
  ] as const) {
    const refused = program();
    refused.ending.refuseToStart(error);
    expect(refused.did).toEqual([error.message, `exit ${code}`]);
  }
  const crashed = program([payment]);
  crashed.ending.crash(new Error('nobody expected this'));
  expect(crashed.did).toEqual(['exit 1']);
});
