import { expect, test } from 'vitest';
import { languages } from '../../../../../main/core/domain/languages.ts';
import { frameTexts } from '../../../../../renderer/locales/frame.ts';
import { managerTexts } from '../../../../../renderer/locales/manager.ts';
import { screenTexts } from '../../../../../renderer/locales/screens.ts';
import { type HealthRow, healthRows } from '../../../../../renderer/manager/health/health-rows.ts';
import { well } from '../../../../pictures/states/manager-health.ts';
import type { Health } from '../../../../../preload/procedures/health.ts';

const rows = (
  health: Partial<Health>,
  language: (typeof languages)[number] = 'en',
): HealthRow[] => {
  const texts = {
    words: managerTexts[language].health,
    texts: screenTexts[language],
    frame: frameTexts[language],
  };
  return healthRows({ ...well, ...health }, texts, language).flatMap((part) => part.rows);
};
const [cable] = well.tills as [Health['tills'][number]];
const tills: Health['tills'] = [
  { ...cable, state: 'attention', code: 'open' },
  { ...cable, laneId: '2', laneName: 'Garden shop', state: 'ok', code: 'open', address: 'http:2' },
];
const lanes: Health['lanes'] = [
  ...well.lanes,
  { state: 'ok', code: 'open', laneId: '2', laneName: 'Garden shop', detail: null },
];

test.each(languages)(
  'each till has its lane’s name, and what needs attention reads otherwise than what is in order (%s)',
  (language) => {
    const [onCable, program] = rows({ lanes, tills }, language).filter(
      ({ code }) => code === 'till',
    );
    expect(onCable?.what).toMatch(/^Check-out 1: /);
    expect(program?.what).toMatch(/^Garden shop: /);
    expect(program?.what.split(': ')[1]).not.toBe(onCable?.what.split(': ')[1]);
  },
);

test('a till that is a program has no address, because its lane’s number is none', () => {
  expect(JSON.stringify(rows({ lanes, tills }))).not.toContain('http:2');
});

test('says what starts Tillbeacon, and which command changes that', () => {
  const startsRow = (starts: Health['starts']) =>
    rows(starts === undefined ? {} : { starts }).find(({ code }) => code === 'starts');
  expect(startsRow(undefined)).toBeUndefined();
  expect(startsRow({ state: 'ok', with: 'computer', system: 'linux' })).toMatchObject({
    state: 'ok',
    commands: [],
  });
  const nothing = startsRow({ state: 'attention', with: 'nothing', system: 'linux' });
  expect(nothing).toMatchObject({
    state: 'attention',
    what: 'Nothing was found that starts Tillbeacon with this computer',
  });
  expect(nothing?.commands.map(({ command }) => command)).toContain(
    'sudo npm run service -- install',
  );
});

test('a command is no part of a sentence', () => {
  const claimed: Health['tills'] = [
    { ...cable, state: 'broken', code: 'busy', claimer: 'brltty', detail: 'used by brltty' },
  ];
  const [till] = rows({ tills: claimed }).filter(({ code }) => code === 'till');
  expect(till?.commands).toEqual([{ id: 'brltty', command: 'sudo apt remove brltty' }]);
  const notice = {
    state: 'attention',
    code: 'fileReadable',
    subject: '/x',
    detail: 'chmod 600 /x',
    count: 1,
    firstMs: 1,
    lastMs: 1,
  } as const;
  const [readable] = rows({ notices: [notice] }).filter(({ code }) => code === 'fileReadable');
  expect(readable).toMatchObject({ commands: [{ command: 'chmod 600 /x' }], detail: null });
});
