import type { Country } from '../../core/domain/wallet-services.ts';

/** What customers call the app, from a moment on. */
interface Names {
  readonly fromMs: number;
  /** Any of them can pay; the one that most customers there have comes first. */
  readonly names: readonly string[];
}

const always = Number.NEGATIVE_INFINITY;

/**
 * The names of the apps of the ePayment service. On 12 January 2027 MobilePay becomes Vipps, which
 * the operator announced on 6 October 2026 (document 5, section 6.4).
 */
const brands: Readonly<Record<Country, readonly Names[]>> = {
  DK: [
    { fromMs: always, names: ['MobilePay', 'Vipps'] },
    { fromMs: Date.parse('2027-01-12T00:00:00+01:00'), names: ['Vipps'] },
  ],
  FI: [
    { fromMs: always, names: ['MobilePay', 'Vipps'] },
    { fromMs: Date.parse('2027-01-12T00:00:00+02:00'), names: ['Vipps'] },
  ],
  NO: [
    { fromMs: always, names: ['Vipps', 'MobilePay'] },
    { fromMs: Date.parse('2027-01-12T00:00:00+01:00'), names: ['Vipps'] },
  ],
};

/** Names of the apps that can pay at a sales unit in this country at this moment. */
export const appNames = (country: Country, atMs: number): readonly string[] =>
  brands[country].findLast(({ fromMs }) => fromMs <= atMs)?.names ?? [];
