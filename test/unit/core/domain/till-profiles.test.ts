import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { profileOf, tillProfileIds } from '../../../../main/core/domain/till-profiles.ts';

const fileNames = (folder: string): string[] =>
  readdirSync(new URL(`../../../../assets/${folder}`, import.meta.url));

test('each file is a profile, and each is explained in each language', () => {
  const sorted = [...tillProfileIds].sort();
  expect(fileNames('till-profiles').sort()).toEqual(sorted.map((id) => `${id}.json`));
  for (const locale of fileNames('locales').filter((name) => !name.endsWith('.md'))) {
    const { tillProfile } = JSON.parse(
      readFileSync(
        new URL(`../../../../assets/locales/${locale}/setup.json`, import.meta.url),
        'utf8',
      ),
    );
    expect([locale, ...Object.keys(tillProfile).sort()]).toEqual([locale, ...sorted]);
  }
});

test('what a till sets itself counts more than its profile, and that more than the standard', () => {
  const standard = {
    stopBits: 2,
    answers: 'asAgreed',
    charset: 'ASCII',
    missingCurrency: 'euro',
    registrationCurrency: 'asNamed',
    passwordInPayment: false,
    framing: 'asSent',
  };
  expect(profileOf({})).toEqual(standard);
  expect(profileOf({ profile: 'narrowPaper' })).toEqual({ ...standard, columns: 24 });
  expect(profileOf({ profile: 'narrowPaper', columns: 32, stopBits: 1 })).toEqual({
    ...standard,
    columns: 32,
    stopBits: 1,
  });
  expect(profileOf({ profile: 'oneStopBit', stopBits: undefined })).toEqual({
    ...standard,
    stopBits: 1,
  });
});

test('amounts without a currency are the lane’s only with profiles whose sentence says so', () => {
  expect(
    tillProfileIds.filter((profile) => profileOf({ profile }).missingCurrency === 'lane'),
  ).toEqual(['noRegistration', 'noRegistrationPrintsLines', 'currencyOfLane']);
});
