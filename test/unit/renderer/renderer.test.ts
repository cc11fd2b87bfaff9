import jsQR from 'jsqr';
import { describe, expect, test } from 'vitest';
import { NotPaidReason, NotReadyReason } from '../../../preload/contract.ts';
import { qrPath } from '../../../renderer/ui/qr.ts';
import {
  formatDateTime,
  formatMoney,
  formatShortDateTime,
  formatTime,
  formatTimeWithSeconds,
  type Language,
  languages,
} from '../../../renderer/locales/i18n.ts';
import { screenTexts } from '../../../renderer/locales/screens.ts';

describe.each(languages)('the texts in %s', (language) => {
  test('are all there: none empty, one sentence and one advice for each reason', () => {
    const empty: string[] = [];
    const look = (value: unknown, path: string): void => {
      if (
        typeof value === 'string' &&
        value.trim() === '' &&
        !/cashier\.hint\.(notReady|notPaid)$/.test(path)
      )
        empty.push(path);
      if (typeof value === 'object' && value !== null)
        for (const [key, inner] of Object.entries(value)) look(inner, `${path}.${key}`);
    };
    look(screenTexts[language], language);
    expect(empty).toEqual([]);
    expect(Object.keys(screenTexts[language].notPaid).toSorted()).toEqual(
      NotPaidReason.options.toSorted(),
    );
    expect(Object.keys(screenTexts[language].notReady).toSorted()).toEqual(
      NotReadyReason.options.toSorted(),
    );
  });
});

test('money as each language writes it', () => {
  expect(formatMoney('da', { amountMinor: 123_450, currency: 'DKK' })).toMatch(/^1\.234,50\skr\.$/);
  expect(formatMoney('en', { amountMinor: 5, currency: 'EUR' })).toBe('€0.05');
  expect(formatMoney('nb', { amountMinor: 123_450, currency: 'NOK' })).toMatch(/^1\s234,50\skr$/);
});

test('a time of the day in one notation, alone and after a date', () => {
  const early = new Date(2026, 10, 21, 5, 17, 9).getTime();
  const written = (language: Language) =>
    [formatTime, formatDateTime, formatShortDateTime].map(
      (format) => / (\S+)$/.exec(` ${format(language, early)}`)?.[1],
    );
  expect(written('fi')).toEqual(['5.17', '5.17', '5.17']);
  expect(formatTimeWithSeconds('fi', early)).toBe('5.17.09');
  for (const [language, time] of Object.entries({
    da: '05.17',
    nb: '05:17',
    sv: '05:17',
    en: '05:17',
  }))
    expect(written(language as Language)).toEqual([time, time, time]);
});

test('the code has four modules of quiet around it, and reads', () => {
  const payload = 'walletpos://pos?id=0b7f0e33-6166-442f-8cc9-e4c20ae427ba&source=qr';
  const { path, size } = qrPath(payload);
  const scale = 4;
  const pixels = new Uint8ClampedArray((size * scale) ** 2 * 4).fill(255);
  let outside = 0;
  for (const [, x = '0', y = '0', run = '0'] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    if (
      Number(x) < 4 ||
      Number(y) < 4 ||
      Number(x) + Number(run) > size - 4 ||
      Number(y) >= size - 4
    )
      outside += 1;
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row += 1) {
      for (let column = Number(x) * scale; column < (Number(x) + Number(run)) * scale; column += 1)
        pixels.fill(0, (row * size * scale + column) * 4, (row * size * scale + column) * 4 + 3);
    }
  }
  expect(outside).toBe(0);
  expect(jsQR(pixels, size * scale, size * scale)?.data).toBe(payload);
});
