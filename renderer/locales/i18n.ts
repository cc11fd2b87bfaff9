import type { ScreenName } from '../../preload/contract.ts';
import { languageOfTag } from '../../main/core/domain/language-tags.ts';
import { type Language, locales } from '../../main/core/domain/languages.ts';

export {
  isLanguage,
  type Language,
  languageNames,
  languages,
} from '../../main/core/domain/languages.ts';

const storageKey = (screen: ScreenName): string => `tillbeacon.language.${screen}`;

/**
 * In this order: `?lang=`, the choice on this screen, the shop's language, the installer's choice
 * before the shop had one, the system's languages.
 */
export function initialLanguage(screen: ScreenName, shops: Language | null): Language {
  const named = new URLSearchParams(location.search).get('lang');
  const wished = [
    named,
    localStorage.getItem(storageKey(screen)),
    shops,
    localStorage.getItem(storageKey('setup')),
    ...navigator.languages,
  ];
  for (const tag of wished) {
    const language = tag === null ? null : languageOfTag(tag);
    if (language !== null) return language;
  }
  return 'en';
}

/**
 * Remembers the language for this screen alone, because the customer's screen may have another one
 * than the cashier's.
 */
export function rememberLanguage(screen: ScreenName, language: Language): void {
  localStorage.setItem(storageKey(screen), language);
  if (new URLSearchParams(location.search).has('lang')) nameLanguage(language);
}

/** Writes the language to the address, where it precedes every other choice; null removes it. */
export function nameLanguage(language: Language | null): void {
  const url = new URL(location.href);
  if (language === null) url.searchParams.delete('lang');
  else url.searchParams.set('lang', language);
  history.replaceState(null, '', url);
}

/** Keeps a formatter for each language and variant, because they are slow to make. */
function cached<Format>(
  make: (locale: string, variant: string) => Format,
): (language: Language, variant?: string) => Format {
  const formats = new Map<string, Format>();
  return (language, variant = '') => {
    const key = language + variant;
    const format = formats.get(key) ?? make(locales[language], variant);
    formats.set(key, format);
    return format;
  };
}

const money = cached(
  (locale, currency) => new Intl.NumberFormat(locale, { style: 'currency', currency }),
);
const decimal = cached(
  (locale, decimals) =>
    new Intl.NumberFormat(locale, {
      minimumFractionDigits: Number(decimals),
      maximumFractionDigits: Number(decimals),
    }),
);
const choices = cached((locale) => new Intl.ListFormat(locale, { type: 'disjunction' }));
const percent = cached(
  (locale, decimals) =>
    new Intl.NumberFormat(locale, {
      style: 'percent',
      minimumFractionDigits: Number(decimals),
      maximumFractionDigits: Number(decimals),
    }),
);
const time = cached((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }));
const hour = cached(
  (locale) => new Intl.DateTimeFormat(locale, { hour: '2-digit', hourCycle: 'h23' }),
);
const timeWithSeconds = cached(
  (locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }),
);
const date = cached((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }));
const dateTime = cached(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }),
);
const dayOfYear = cached(
  (locale) => new Intl.DateTimeFormat(locale, { day: '2-digit', month: '2-digit' }),
);
const day = cached(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }),
);
const typedDay = cached(
  (locale) =>
    new Intl.DateTimeFormat(locale, {
      day: '2-digit',
      month: '2-digit',
      year: 'numeric',
      timeZone: 'UTC',
    }),
);
const duration = cached(
  (locale, zero) =>
    new Intl.DurationFormat(locale, {
      style: 'long',
      secondsDisplay: zero === '' ? 'auto' : 'always',
    }),
);
const size = cached(
  (locale, unit) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, maximumSignificantDigits: 3 }),
);

/** A choice of several, e.g. `A or B`. */
export function formatChoice(language: Language, names: readonly string[]): string {
  return choices(language).format(names);
}

/** The amount with its currency; every currency here has two minor digits. */
export function formatMoney(
  language: Language,
  { amountMinor, currency }: { amountMinor: number; currency: string },
): string {
  return money(language, currency).format(amountMinor / 100);
}

/**
 * The amount without its currency, for a column or a field that names it. `parseMoney` reads it
 * again.
 */
export function formatAmount(language: Language, amountMinor: number): string {
  return decimal(language, '2').format(amountMinor / 100);
}

export function formatNumber(language: Language, value: number, decimals = 0): string {
  return decimal(language, String(decimals)).format(value);
}

/** @param fraction 1 for 100 % */
export function formatPercent(language: Language, fraction: number, decimals = 1): string {
  return percent(language, String(decimals)).format(fraction);
}

export function formatTime(language: Language, atMs: number): string {
  return time(language).format(atMs);
}

/** An hour such as `09`, for a bar of a chart. */
export function formatHour(language: Language, atMs: number): string {
  return hour(language).format(atMs);
}

export function formatTimeWithSeconds(language: Language, atMs: number): string {
  return timeWithSeconds(language).format(atMs);
}

export function formatDate(language: Language, atMs: number): string {
  return date(language).format(atMs);
}

export function formatDateTime(language: Language, atMs: number): string {
  return dateTime(language).format(atMs);
}

/** Day, month and time, for narrow columns in which the year is known. */
export function formatShortDateTime(language: Language, atMs: number): string {
  return `${dayOfYear(language).format(atMs)} ${formatTime(language, atMs)}`;
}

/** A calendar day such as `2026-01-31`, which is the same day in every time zone. */
export function formatDay(language: Language, isoDay: string): string {
  return day(language).format(Date.parse(isoDay));
}

/** A calendar day in digits, as it is typed into a field. `parseDay` reads it again. */
export function formatTypedDay(language: Language, isoDay: string): string {
  const atMs = Date.parse(isoDay);
  return Number.isNaN(atMs) ? isoDay : typedDay(language).format(atMs);
}

/** The duration in whole hours, minutes and seconds, without those that are zero. */
export function formatDuration(language: Language, wholeSeconds: number): string {
  const seconds = Math.max(0, Math.ceil(wholeSeconds));
  if (seconds === 0) return duration(language, 'zero').format({ seconds });
  return duration(language).format({
    hours: Math.floor(seconds / 3600),
    minutes: Math.floor(seconds / 60) % 60,
    seconds: seconds % 60,
  });
}

/** A duration of at least a minute, without the seconds; a long one in whole days or years. */
export function formatMinutes(language: Language, seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  if (days >= 2 * 365) return duration(language).format({ years: Math.floor(days / 365) });
  return days >= 2
    ? duration(language).format({ days })
    : formatDuration(language, Math.round(seconds / 60) * 60);
}

/** The size in the largest unit of which there is at least one. */
export function formatBytes(language: Language, bytes: number): string {
  const power = Math.min(4, Math.max(0, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1024))));
  return size(language, ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'][power]).format(
    bytes / 1024 ** power,
  );
}
