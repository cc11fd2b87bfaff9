/**
 * The tables of the simulator's page `GET /`: newest rows first, each with buttons for its actions.
 */

export interface SummaryTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly SummaryRow[];
  /** The number of all things, of which the newest are shown as rows. */
  readonly total: number;
}

interface SummaryRow {
  readonly cells: readonly string[];
  readonly actions: readonly SummaryAction[];
}

export interface SummaryAction {
  readonly label: string;
  /** `POST /simulator/{name}`. */
  readonly endpoint: string;
  readonly body: Readonly<Record<string, unknown>>;
  /**
   * Whether the body gets the number of the phone that is selected on the page, as `phoneNumber`.
   */
  readonly byPhone?: boolean;
}

const maxRows = 25;

/** @param things oldest first */
export function summaryTable<Thing>(
  title: string,
  columns: readonly string[],
  things: readonly Thing[],
  row: (thing: Thing) => SummaryRow,
): SummaryTable {
  return {
    title,
    columns,
    total: things.length,
    rows: things.slice(-maxRows).toReversed().map(row),
  };
}

/** An amount for display: 1250 and DKK give "12.50 DKK". */
export function amountText(amountMinor: number | null, currency: string | null): string {
  return amountMinor === null ? '' : `${(amountMinor / 100).toFixed(2)} ${currency ?? ''}`.trim();
}

/** A limit or balance for display. */
export const limitText = (amountMinor: number): string =>
  amountMinor === Number.POSITIVE_INFINITY ? 'no limit' : amountText(amountMinor, null);

/** The first part of a UUID, for display. */
export const shortId = (id: string): string => id.slice(0, 8);

/** An ISO time for display, such as `2026-11-21 09:00:00`. */
export const timeText = (iso: string | undefined): string =>
  (iso ?? '').replace('T', ' ').slice(0, 'YYYY-MM-DD HH:MM:SS'.length);
