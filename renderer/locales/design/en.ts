import type { MoneyProblem } from '../parse-money.ts';

/** The words that the design system's own elements say. */
export interface DesignTexts {
  readonly close: string;
  readonly cancel: string;
  readonly ok: string;
  readonly clear: string;
  readonly deleteDigit: string;
  readonly digits: (count: number) => string;
  readonly showSecret: string;
  readonly hideSecret: string;
  /** The rule of an amount that was typed, and what to do. */
  readonly money: Readonly<Record<MoneyProblem, string>>;
  readonly asTable: string;
  readonly rowsFailed: string;
  readonly tryAgain: string;
  readonly working: string;
  readonly notice: Readonly<Record<'info' | 'success' | 'warning' | 'error', string>>;
}

export const en: DesignTexts = {
  close: 'Close',
  cancel: 'Cancel',
  ok: 'OK',
  clear: 'Clear',
  deleteDigit: 'Delete the last digit',
  digits: (count) => (count === 1 ? '1 digit' : `${count} digits`),
  showSecret: 'Show',
  hideSecret: 'Hide',
  money: {
    empty: 'Type an amount.',
    notANumber: 'Type digits only, for example 12.50.',
    grouping: 'Check the commas and points: an amount looks like 1,234.50.',
    decimals: 'Type at most two digits after the point, for example 12.50.',
    tooLarge: 'Type a lower amount: no till can take this much.',
  },
  asTable: 'As a table',
  rowsFailed: 'These lines could not be fetched.',
  tryAgain: 'Try again',
  working: 'One moment',
  notice: { info: 'Information', success: 'Done', warning: 'Warning', error: 'Error' },
};
