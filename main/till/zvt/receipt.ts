import type { SaleTicket } from '../../primitives/sale.ts';

const usualWidth = 40;
const narrowestWidth = 16;

/** The receipt of a paid sale, for tills that let the terminal write it. Never anything that belongs to the customer. */
export function receiptLines(sale: SaleTicket, { laneName, width = usualWidth }: { laneName: string; width?: number }): string[] {
  const columns = Math.max(narrowestWidth, width);
  const amount = `${Math.floor(sale.amountMinor / 100)}.${String(sale.amountMinor % 100).padStart(2, '0')}`;
  const row = (left: string, right: string): string[] => {
    const gap = columns - left.length - right.length;
    return gap > 0 ? [left + ' '.repeat(gap) + right] : [left, right.padStart(columns)];
  };
  return [
    laneName,
    localTime(sale.startedAtMs),
    '-'.repeat(columns),
    ...row('Mobile wallet', `${sale.currency} ${amount}`),
    ...row('Result', 'PAID'),
    '-'.repeat(columns),
    ...row('Receipt', String(sale.receiptNumber).padStart(4, '0')),
    ...row('Trace', String(sale.traceNumber).padStart(6, '0')),
    ...row('Order', sale.orderId),
  ].map((line) => line.slice(0, columns));
}

function localTime(atMs: number): string {
  const at = new Date(atMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
