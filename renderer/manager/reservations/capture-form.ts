import type { OpenReservation } from '../../../preload/procedures/reservations.ts';
import { formatMoney, type Language } from '../../locales/i18n.ts';
import { managerTexts } from '../../locales/manager.ts';
import { parseMoney } from '../../locales/parse-money.ts';
import { screenTexts } from '../../locales/screens.ts';

/** What the manager chose and typed, valid or not. */
export interface CaptureForm {
  readonly howMuch: 'all' | 'part';
  readonly amount: string;
}

type Reserved = Pick<OpenReservation, 'amountMinor' | 'currency'>;

/**
 * @returns the amount to capture in minor units, or in `problem` the rule that the typed amount
 * breaks
 */
export function checkCapture(
  language: Language,
  { howMuch, amount }: CaptureForm,
  reserved: Reserved,
): { readonly problem: null; readonly amountMinor: number } | { readonly problem: string } {
  if (howMuch === 'all') return { problem: null, amountMinor: reserved.amountMinor };
  const { nothing, tooHigh } = managerTexts[language].reservations;
  const { amountMinor, problem } = parseMoney(language, amount);
  if (problem === 'tooLarge')
    return { problem: tooHigh({ amount: formatMoney(language, reserved) }) };
  if (problem !== null) return { problem: screenTexts[language].design.money[problem] };
  if (amountMinor === 0) return { problem: nothing };
  return amountMinor > reserved.amountMinor
    ? { problem: tooHigh({ amount: formatMoney(language, reserved) }) }
    : { problem: null, amountMinor };
}

/** What the manager has to know before. A whole capture leaves nothing to release. */
export function captureWarning(language: Language, { howMuch }: CaptureForm): string {
  const { once, restReleased } = managerTexts[language].reservations;
  return howMuch === 'part' ? `${once} ${restReleased}` : once;
}

/** The amount to capture in minor units; null while the form is not valid. */
export function amountInForm(
  language: Language,
  form: CaptureForm,
  reserved: Reserved,
): number | null {
  const checked = checkCapture(language, form, reserved);
  return checked.problem === null ? checked.amountMinor : null;
}
