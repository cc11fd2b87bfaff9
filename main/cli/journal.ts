/** Reads the journal, also while the daemon runs. */
import '../support/umask.ts';
import { join } from 'node:path';
import { type JournalReader, openJournalReader, minEndingLength } from '../core/journal/reader.ts';
import { exportCsv } from '../core/journal/export-csv.ts';
import { saleLine, storyText, timeText } from '../core/journal/history-text.ts';
import { endWhenNobodyReads, sayAside, writeOut } from '../support/standard-output.ts';
import { localDayBeginsMs } from '../support/local-day.ts';
import { requireLocalDisk } from '../support/local-disk.ts';
import {
  chosenCommand,
  command,
  CommandEnd,
  endCommand,
  parseCommand,
  usageOf,
} from '../support/command-line.ts';

const data = {
  type: 'string',
  value: 'DIR',
  does: "the daemon's data folder",
  default: join('data', 'demo'),
} as const;
const commands = {
  verify: command({
    call: 'npm run -s journal -- verify',
    does: 'Checks the journal. Lists open payments and those that need a person. Exit code 1: the journal is damaged.',
    options: { data },
  }),
  show: command({
    call: 'npm run -s journal -- show',
    does: 'Shows the history of one payment. PAYMENT is a payment, order, sale or refund id, or its last characters. With --lane it is a receipt number.',
    operands: 'PAYMENT',
    options: {
      lane: { type: 'string', value: 'ID', does: 'lane of the receipt number' },
      data,
    },
  }),
  export: command({
    call: 'npm run -s journal -- export',
    does: 'Writes payments and refunds of a period to stdout, as CSV for the books.',
    options: {
      from: {
        type: 'string',
        value: 'DATE',
        does: 'the first day, such as 2026-11-21',
        isRequired: true,
      },
      to: { type: 'string', value: 'DATE', does: 'the last day', isRequired: true },
      data,
    },
  }),
};
const maxListed = 20;

async function main(): Promise<number> {
  const commandLine = readArguments();
  requireLocalDisk(commandLine.data);
  const reader = openJournalReader(join(commandLine.data, 'journal.sqlite'));
  try {
    switch (commandLine.command) {
      case 'verify':
        return await verify(reader);
      case 'show':
        return await show(reader, commandLine.payment, commandLine.lane);
      case 'export':
        return await exportPeriod(reader, commandLine.fromMs, commandLine.toMs);
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
      await say(
        `  not saved: order ${orderId ?? 'unknown'}, payment ${paymentId ?? 'unknown'}, receipt ${receiptNumber ?? 'unknown'}, sale ${saleId}: ${why}`,
      );
  }
  if (problems.length > 0) {
    await say('DAMAGED: the next start of the daemon repairs what can be repaired');
    for (const problem of problems) await say(`  ${problem}`);
    return 1;
  }
  const open = reader.open();
  for (const saleId of open.needPerson)
    await say(`needs attention: ${saleLine(reader.sale(saleId))}`);
  for (const saleId of open.sales) await say(`open: ${saleLine(reader.sale(saleId))}`);
  await say('intact: no event was changed, and every listed result matches its events');
  return 0;
}

async function show(reader: JournalReader, text: string, laneId: string | null): Promise<number> {
  const matches = reader.find({ text, laneId });
  const [only] = matches;
  if (only === undefined) {
    sayAside(`the journal has no payment ${text}${laneId === null ? '' : ` of lane ${laneId}`}`);
    return 1;
  }
  if (matches.length === 1) {
    await writeOut(storyText(reader.sale(only), reader.story(only)));
    return 0;
  }
  await say(`${matches.length} payments match; the newest:`);
  for (const saleId of matches.slice(-maxListed)) await say(saleLine(reader.sale(saleId)));
  return 1;
}

async function exportPeriod(reader: JournalReader, fromMs: number, toMs: number): Promise<number> {
  for await (const part of exportCsv(reader.between(fromMs, toMs))) await writeOut(part);
  return 0;
}

const say = (text: string): Promise<void> => writeOut(`${text}\n`);

type CommandLine = { readonly data: string } & (
  | { readonly command: 'verify' }
  | { readonly command: 'show'; readonly payment: string; readonly lane: string | null }
  | { readonly command: 'export'; readonly fromMs: number; readonly toMs: number }
);

/** @throws CommandEnd */
function readArguments(): CommandLine {
  const { name, rest } = chosenCommand(commands, process.argv.slice(2));
  switch (name) {
    case 'verify':
      return { command: name, ...parseCommand(commands.verify, rest).values };
    case 'show': {
      const { values, operands } = parseCommand(commands.show, rest);
      const { data: folder, lane = null } = values;
      const [payment, ...tooMany] = operands;
      if (payment === undefined || tooMany.length > 0)
        throw new CommandEnd(`PAYMENT: exactly one is required\n${usageOf(commands.show)}`);
      if (lane !== null && !/^\d{1,4}$/.test(payment))
        throw new CommandEnd(`RECEIPT: must be a number of up to four digits, got ${payment}`);
      if (lane === null && payment.length < minEndingLength)
        throw new CommandEnd(
          `PAYMENT: must have at least ${minEndingLength} characters, or be a receipt number with --lane, got ${payment}`,
        );
      return { command: name, data: folder, payment, lane };
    }
    case 'export': {
      const { data: folder, from, to } = parseCommand(commands.export, rest).values;
      const fromMs = dayBegins('--from', from, 0);
      const toMs = dayBegins('--to', to, 1);
      if (toMs <= fromMs) throw new CommandEnd(`--to: must not be before --from, got ${to}`);
      return { command: name, data: folder, fromMs, toMs };
    }
  }
}

function dayBegins(option: string, text: string, daysLater: number): number {
  const beginsMs = localDayBeginsMs(text, daysLater);
  if (beginsMs === null)
    throw new CommandEnd(`${option}: must be a day such as 2026-11-21, got ${text}`);
  return beginsMs;
}

endWhenNobodyReads();

main().then(
  (code) => process.exit(code),
  (error: Error) => endCommand(error),
);
