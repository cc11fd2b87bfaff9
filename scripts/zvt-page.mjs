// Writes docs/zvt.md: every packet, field, object and result code, from their declarations; what is
// done at each command and result stands in docs/till.md.
import './node-version.mjs';
import { readFileSync, writeFileSync } from 'node:fs';
import { notPaidReasons, notRefundedReasons } from '../main/core/domain/reasons.ts';
import { BMP, lengths } from '../main/tills/zvt/bitmaps.ts';
import { resultWords } from '../main/tills/zvt/describe.ts';
import { packets } from '../main/tills/zvt/packet-table.ts';
import { hexByte } from '../main/tills/zvt/packets.ts';
import { RESULT, resultOf } from '../main/tills/zvt/result-codes.ts';
import { TAG } from '../main/tills/zvt/tlv.ts';

const pageAt = new URL('../docs/zvt.md', import.meta.url);
const tillPage = new URL('../docs/till.md', import.meta.url);

/**
 * The use of each field that the code names, by its name in `BMP`. All other fields are skipped by
 * their length.
 */
const fieldUses = {
  goodsTimeout:
    'read in a payment or refund: for how many seconds the till may answer the result with `84 9C` (otherwise 30)',
  maxStatusInformations: 'read in a payment or refund: how often it wants to be asked then',
  serviceByte: 'read at a status enquiry (whether the version is wanted) and at a repeated receipt',
  amount: 'read in every command that moves money, in minor units; sent in each result',
  tlv: 'read and sent: the objects below',
  traceNumber: 'read at reservations; sent in each result',
  time: 'sent in each result',
  date: 'sent in each result',
  statusByte: 'sent: after a registration as the state, in a result as the kind of payment',
  resultCode: 'sent: the codes below',
  terminalId: 'sent: eight digits of the lane, the same as long as the lane exists',
  originalTraceNumber: 'sent: of the payment or reservation that a refund or a capture belongs to',
  additionalText: 'sent: why something was refused, until when a reservation is held, and loyalty',
  singleTotals: 'sent: the payments of a day, of a closing or of totals',
  password: 'read, when `till.password` is set',
  currency: 'read in commands with an amount; sent to a till that named one',
  receiptNumber: 'read at refunds and reservations; sent in each result',
  cardName: 'sent: the name of the means of payment',
};
/** The use of each object in field 06, by its name in `TAG`. */
const tagUses = {
  textLine: 'sent: a line of what is to be shown or printed',
  receiptNumber: 'sent in the list of open reservations',
  printAttribute: 'sent with a line of a text block: how it is printed',
  command: 'read at registration, in `permittedCommands`',
  printerWidth: 'read at registration: how many characters a line has',
  charset: 'read at registration, and named in its answer: the characters of texts',
  language:
    'read at registration, and named in its answer by the code that the till has for it; Norwegian is `no`, `nb` or `nn`',
  maxApduLength:
    'read at registration: text blocks are split, and loyalty is left out, where they would be longer',
  openReservations: 'sent: their receipt numbers',
  displayTexts: 'sent in intermediate statuses',
  printTexts: 'sent in text blocks (`06 D3`)',
  permittedCommands:
    'read at registration, and named in its answer: whether text blocks are printed',
  charsets: 'read at registration: the first that Tillbeacon has',
  languages: 'read at registration: the first that Tillbeacon speaks',
  terminal: 'sent in the answer to a status enquiry: name, version and state',
  valueAdded:
    'sent with a paid sale: the loyalty of who paid, to a till that sent one at registration or with the command',
  repeatedReceipt: 'read at a repeated receipt: which one',
  receiptParameter: 'read: which copies the till wants',
  transactionType: 'read at a reservation: one that raises an earlier one is declined',
  receiptType: 'sent with a text block: whose copy it is',
  fullDate: 'sent in the answer to a status enquiry',
  fullTime: 'sent in the answer to a status enquiry',
  cardholderAuthentication: 'sent with a paid sale: nobody has to sign',
  technology: 'sent with a paid sale',
  extendedErrorText: 'sent: which reservations end within a day',
  cashback: 'read: a payment with cash back is declined',
  longTraceNumber: 'read at reservations',
  receiptInformation: 'sent with a text block',
  terminalName: 'sent in the answer to a status enquiry',
  terminalSerialNumber: 'sent in the answer to a status enquiry',
  terminalVersion: 'sent in the answer to a status enquiry',
  timeStamp: 'sent in the answer to a status enquiry',
  terminalState: 'sent in the answer to a status enquiry',
  terminalId: 'sent in the answer to a status enquiry',
  terminalLocks: 'sent in the answer to a status enquiry: what keeps payments from being taken',
  valueAddedData: 'sent in `loyalty`: the id, or the receipt token',
  valueAddedProgramme: 'sent in `loyalty`: what it is, where that is no loyalty id',
  loyalty: 'sent in `valueAdded`, one for each',
};

/** `goodsTimeout` as words. */
const wordsOf = (name) => name.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
const tagHex = (tag) =>
  tag > 0xff ? `${hexByte(tag >>> 8)} ${hexByte(tag & 0xff)}` : hexByte(tag);
const table = (head, rows) =>
  [
    `| ${head.join(' | ')} |`,
    `|${head.map(() => '---').join('|')}|`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');

function section(text, title) {
  const [, body = ''] = text.split(`\n## ${title}\n`);
  return body.split('\n## ')[0] ?? '';
}
/** The cells of the table of a section, without its head. */
function cellsOf(text, title) {
  const rows = section(text, title)
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2);
  return rows.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      // Links within docs/till.md become links to it from this page.
      .map((cell) => cell.trim().replaceAll('](#', '](till.md#')),
  );
}

function useOf(uses, name, where) {
  const use = uses[name];
  if (use === undefined)
    throw new Error(`scripts/zvt-page.mjs: say what is done with ${where} ${name}`);
  return use;
}

function commandRows(text) {
  const tillCommands = cellsOf(text, 'Commands of the till');
  const terminalPackets = section(text, 'What the till hears');
  return Object.values(packets).map(({ words, classByte, instruction, parts, content }) => {
    const bytes = `${hexByte(classByte)} ${hexByte(instruction)}`;
    const does = tillCommands
      .filter(([, which = '']) => which.includes(`\`${bytes}\``))
      .map(([, which, does]) => (which === `\`${bytes}\`` ? does : `${which}: ${does}`));
    if (does.length === 0 && !terminalPackets.includes(`\`${bytes}`))
      throw new Error(`docs/till.md: says nothing of ${words} (${bytes})`);
    const data = [
      ...parts.map(
        ({ name, byteCount, optional }) =>
          `${wordsOf(name)} (${byteCount}${optional ? ', may be missing' : ''})`,
      ),
      contents[content],
    ];
    return [
      `\`${bytes}\``,
      words,
      data.filter((one) => one !== '').join(', '),
      does.length === 0
        ? 'sent: [what the till hears](till.md#what-the-till-hears)'
        : does.join('; '),
    ];
  });
}
const contents = {
  bitmaps: 'fields',
  text: 'text',
  nothing: '',
  opaque: 'depends on what it ends or answers',
};

function fieldRows() {
  const names = new Map(Object.entries(BMP).map(([name, bitmap]) => [bitmap, name]));
  return [...lengths]
    .sort(([one], [other]) => one - other)
    .map(([bitmap, length]) => {
      const name = names.get(bitmap);
      const shape = typeof length === 'number' ? `${length}` : length;
      return [
        `\`${hexByte(bitmap)}\``,
        shape,
        name === undefined ? '' : wordsOf(name),
        name === undefined ? 'skipped' : useOf(fieldUses, name, 'the field'),
      ];
    });
}

const tagRows = () =>
  Object.entries(TAG).map(([name, tag]) => [
    `\`${tagHex(tag)}\``,
    wordsOf(name),
    useOf(tagUses, name, 'the object'),
  ]);

function resultRows(text) {
  const tillCommands = cellsOf(text, 'Result codes');
  return Object.values(RESULT).map((code) => {
    const hex = hexByte(code);
    const when = tillCommands
      .filter(([codes = '']) => codes.includes(`\`${hex}\``))
      .map(([, words]) => words);
    if (when.length === 0 && !text.includes(`\`84 ${hex}`))
      throw new Error(`docs/till.md: says nothing of the result code ${hex}`);
    const reasons = [
      ...notPaidReasons.filter((reason) => resultOf({ paid: false, reason }).code === code),
      ...notRefundedReasons.filter((reason) => resultOf({ refunded: false, reason }).code === code),
    ];
    const reasonCodes = [...new Set(reasons)].map((reason) => `\`${reason}\``).join(', ');
    return [
      `\`${hex}\``,
      resultWords[code] ?? '',
      when.length === 0
        ? 'an answer of the till: [what the till hears](till.md#what-the-till-hears)'
        : when.join('; '),
      reasonCodes,
    ];
  });
}

/** The page as the declarations are now. @throws Error that names what is not said anywhere */
export function zvtPage() {
  const text = readFileSync(tillPage, 'utf8');
  return `# ZVT: every packet, field and result code

Made from the declarations in \`main/tills/zvt\` and from [docs/till.md](till.md), which is the page for people, by \`node scripts/zvt-page.mjs\`; a test says when it is out of date. Bytes are in hex; the number in brackets is how many.

## Packets

What is not in this table is answered with \`84 83\`, and with \`84 9A\` when it cannot be read.

${table(['bytes', 'packet', 'data', 'what Tillbeacon does'], commandRows(text))}

## Fields

\`LL\`, \`LLL\`: behind two or three digits of length, each \`F0\` to \`F9\`. \`TLV\`: objects, behind a length as in BER. A field that is not in this table ends the reading of a packet: what stands before it counts.

${table(['field', 'bytes', 'name', 'what Tillbeacon does'], fieldRows())}

## Objects of field 06

Others are skipped.

${table(['tag', 'name', 'what Tillbeacon does'], tagRows())}

## Result codes

The reasons are those of the log and of the journal (\`npm run -s journal -- show\`).

${table(['code', 'meaning', 'when', 'reasons of a payment or refund that was not made'], resultRows(text))}
`;
}

if (process.argv[1]?.endsWith('zvt-page.mjs')) writeFileSync(pageAt, zvtPage());
