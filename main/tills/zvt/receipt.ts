import type { BookingTicket } from '../../core/domain/sale.ts';
import { type PaperLine, paperPackets } from './paper.ts';
import { type ContentOptions, headOf, type PaperHead, receiptContent } from './receipt-content.ts';
import type { Copy, Registration } from './registration.ts';
import { defaultTerminalId, type ZvtTerminal } from './terminal.ts';
import { type Charset, writable } from './text.ts';
import type { Ticket } from './ticket.ts';

/** Whose paper it is, and how it is written. */
export interface PaperOptions extends PaperHead {
  readonly terminalId?: string;
  readonly columns: number;
  readonly charset: Charset;
}

export interface ReceiptOptions extends PaperOptions, Omit<ContentOptions, 'terminalId'> {}

/** What a receipt of a till is about, beside its payment or refund. */
export interface ReceiptAbout extends Pick<ReceiptOptions, 'isReprint' | 'failed'> {
  /** Only this copy is printed. */
  readonly only?: Copy;
}

/**
 * The receipts that a till prints for us, in order; none where it prints none, or prints them from
 * the status information.
 */
export function receiptPackets(
  ticket: Ticket | BookingTicket,
  { laneName, terminalId, shop }: Pick<ZvtTerminal, 'laneName' | 'terminalId' | 'shop'>,
  registration: Registration,
  { only, ...about }: ReceiptAbout = {},
): Uint8Array[] {
  if (!registration.wantsPrintLines) return [];
  const ended = about.failed === undefined ? 'done' : 'failed';
  const { copies } = registration;
  if (copies === null && only === undefined) {
    // The till leaves the copies to us: one receipt of what was done, for the customer.
    return ended === 'failed'
      ? []
      : paperPackets(
          receiptLines(ticket, { laneName, terminalId, shop, ...registration, ...about }),
          { holder: 'customer', ended },
          registration,
        );
  }
  const holders = only === undefined ? (copies?.[ended] ?? []) : [only];
  return holders.flatMap((holder) =>
    paperPackets(
      receiptLines(ticket, { laneName, terminalId, shop, ...registration, ...about, holder }),
      { holder, ended },
      registration,
    ),
  );
}

/**
 * The receipt of a sale, a refund or a decided reservation, for tills that let the terminal write
 * it.
 */
export function receiptLines(ticket: Ticket | BookingTicket, options: ReceiptOptions): PaperLine[] {
  const { terminalId = defaultTerminalId } = options;
  const { row, title, rule } = layout(options);
  return receiptContent(ticket, { ...options, terminalId }).flatMap((part) => {
    if ('title' in part) return title(part.title);
    if ('label' in part) return row(part.label, part.value);
    return part.is === 'time' ? part.text : rule;
  });
}

/** The head of the paper, in lines. */
export const headLines = (options: PaperOptions): PaperLine[] =>
  headOf(options).flatMap(({ title }) => layout(options).title(title));

/** Lines of so many characters, as the till's character set can write them. */
export function layout({
  columns,
  charset,
}: {
  readonly columns: number;
  readonly charset: Charset;
}): {
  /** A row in two lines where one is too short. */
  readonly row: (left: string, right: string) => PaperLine[];
  /** A title in the middle, broken where it is too long. */
  readonly title: (text: string) => PaperLine[];
  readonly rule: PaperLine;
} {
  return {
    row(label, value) {
      const left = writable(label, charset);
      const right = writable(value, charset);
      const gap = columns - left.length - right.length;
      const lines = gap > 0 ? [left + ' '.repeat(gap) + right] : [left, right.padStart(columns)];
      return lines.map((line) => line.slice(0, columns));
    },
    title: (text) => wrapped(writable(text, charset), columns).map((title) => ({ title })),
    rule: '-'.repeat(columns),
  };
}

/** The text in lines of so many characters, broken between words where possible. */
function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/u)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length <= columns) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    for (; line.length > columns; line = line.slice(columns)) lines.push(line.slice(0, columns));
  }
  return line === '' ? lines : [...lines, line];
}
