/** What `GET /` shows of the world: tables of things, newest first, each with what can be done about it by hand. */

export interface SummaryTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly SummaryRow[];
  /** How many there are; only the newest are rows. */
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
  /** The number of the phone that is picked on the page goes into the body as `phoneNumber`. */
  readonly byPhone?: boolean;
}

const mostRows = 25;

/** @param things oldest first */
export function summaryTable<Thing>(title: string, columns: readonly string[], things: readonly Thing[], row: (thing: Thing) => SummaryRow): SummaryTable {
  return { title, columns, total: things.length, rows: things.slice(-mostRows).toReversed().map(row) };
}

/** For people: 1250 DKK → "12.50 DKK". */
export function amountText(amountMinor: number | null, currency: string | null): string {
  return amountMinor === null ? '' : `${(amountMinor / 100).toFixed(2)} ${currency ?? ''}`.trim();
}

/** For people: the first part of a UUID. */
export const shortId = (id: string): string => id.slice(0, 8);

/** For people: `2026-11-21 09:00:00` of an ISO time. */
export const timeText = (iso: string | undefined): string => (iso ?? '').replace('T', ' ').slice(0, 'YYYY-MM-DD HH:MM:SS'.length);
