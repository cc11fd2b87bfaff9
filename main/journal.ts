/** Reads the journal, also while the daemon runs: `journal verify | show PAYMENT [--lane ID] | export --from DATE --to DATE`, each with `--data DIR`. */
import './support/umask.ts';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type JournalReader, openJournalReader, shortestEnding } from './journal/reader.ts';
import { exportCsv } from './journal/export-csv.ts';
import { saleLine, storyText, timeText } from './journal/history-text.ts';
import { SettingsError } from './settings/load.ts';
import { localDayBeginsMs } from './support/local-day.ts';
import { usageError } from './support/usage-errors.ts';

const usage = `usage: journal verify [--data DIR]
       journal show PAYMENT [--data DIR]            a payment, order, sale or refund id, or its last characters
       journal show RECEIPT --lane ID [--data DIR]
       journal export --from DATE --to DATE [--data DIR]   both days included`;
const mostListed = 20;

async function main(): Promise<number> {
  const asked = readArguments();
  const reader = openJournalReader(join(asked.data, 'journal.sqlite'));
  try {
    switch (asked.command) {
      case 'verify':
        return await verify(reader);
      case 'show':
        return await show(reader, asked.payment, asked.lane);
      case 'export':
        return await exportPeriod(reader, asked.fromMs, asked.toMs);
    }
  } finally {
    reader.close();
  }
}

async function verify(reader: JournalReader): Promise<number> {
  const { problems, events, sales, refunds } = reader.check();
  await say(`${events} events of ${sales} sales and ${refunds} refunds`);
  for (const { atMs, problem, lost, savedSales, keptAt } of reader.repairs()) {
    await say(
      `repaired ${timeText(atMs)}: ${problem}; sales saved: ${savedSales}, not saved: ${lost.length}${keptAt === null ? '' : `; the damaged file is ${keptAt}`}`,
    );
    for (const { orderId, saleId, paymentId, receiptNumber, why } of lost)
      await say(`  not saved: order ${orderId ?? 'unknown'}, payment ${paymentId ?? 'unknown'}, receipt ${receiptNumber ?? 'unknown'}, sale ${saleId}: ${why}`);
  }
  if (problems.length > 0) {
    await say('DAMAGED: the next start of the daemon repairs what can be repaired');
    for (const problem of problems) await say(`  ${problem}`);
    return 1;
  }
  const open = reader.open();
  for (const saleId of open.needPerson) await say(`needs a person: ${saleLine(reader.sale(saleId))}`);
  for (const saleId of open.sales) await say(`open: ${saleLine(reader.sale(saleId))}`);
  await say('whole: every event is as it was written, every story ends where it is listed');
  return 0;
}

async function show(reader: JournalReader, text: string, laneId: string | null): Promise<number> {
  const found = reader.find({ text, laneId });
  const [only] = found;
  if (only === undefined) {
    process.stderr.write(`the journal has no payment ${text}${laneId === null ? '' : ` of lane ${laneId}`}\n`);
    return 1;
  }
  if (found.length === 1) {
    await write(storyText(reader.sale(only), reader.story(only)));
    return 0;
  }
  await say(`${found.length} payments may be meant; the newest:`);
  for (const saleId of found.slice(-mostListed)) await say(saleLine(reader.sale(saleId)));
  return 1;
}

async function exportPeriod(reader: JournalReader, fromMs: number, toMs: number): Promise<number> {
  for await (const part of exportCsv(reader.between(fromMs, toMs))) await write(part);
  return 0;
}

const say = (text: string): Promise<void> => write(`${text}\n`);

/** As fast as the reader on the other side takes it. */
function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve())));
}

type Asked = { readonly data: string } & (
  | { readonly command: 'verify' }
  | { readonly command: 'show'; readonly payment: string; readonly lane: string | null }
  | { readonly command: 'export'; readonly fromMs: number; readonly toMs: number }
);

/** The options that only one command has. */
const ownerOf = { lane: 'show', from: 'export', to: 'export' } as const;

/** @throws SettingsError */
function readArguments(): Asked {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { data: { type: 'string', default: join('data', 'demo') }, lane: { type: 'string' }, from: { type: 'string' }, to: { type: 'string' } },
  });
  const { data, lane = null, from = 'nothing', to = 'nothing' } = values;
  const [command, payment, ...tooMany] = positionals;
  if (tooMany.length > 0 || (payment !== undefined && command !== 'show')) throw new SettingsError([usage]);
  if (command !== 'verify' && command !== 'show' && command !== 'export') throw new SettingsError([usage]);
  // Passed over in silence it would be believed: an export of one lane, with every lane's money in it.
  for (const [option, owner] of Object.entries(ownerOf)) {
    if (owner !== command && option in values) throw new SettingsError([`--${option}: is an option of ${owner} alone, not of ${command}`]);
  }
  if (command === 'verify') return { command, data };
  if (command === 'show') {
    if (payment === undefined) throw new SettingsError([usage]);
    if (lane !== null && !/^\d{1,4}$/.test(payment)) throw new SettingsError([`RECEIPT: must be a number of up to four digits, got ${payment}`]);
    if (lane === null && payment.length < shortestEnding)
      throw new SettingsError([`PAYMENT: must have at least ${shortestEnding} characters, or be a receipt number with --lane, got ${payment}`]);
    return { command, data, payment, lane };
  }
  const fromMs = dayBegins('--from', from, 0);
  const toMs = dayBegins('--to', to, 1);
  if (toMs <= fromMs) throw new SettingsError([`--to: must not be before --from, got ${to}`]);
  return { command, data, fromMs, toMs };
}

function dayBegins(option: string, text: string, daysLater: number): number {
  const beginsMs = localDayBeginsMs(text, daysLater);
  if (beginsMs === null) throw new SettingsError([`${option}: must be a day such as 2026-11-21, got ${text}`]);
  return beginsMs;
}

// `journal export … | head`: whoever reads has had enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

main().then(
  (code) => process.exit(code),
  (error: Error) => {
    const { text, code } = usageError(error, { usage, mistake: SettingsError });
    process.stderr.write(text);
    process.exit(code);
  },
);
