/**
 * Messages of version 3: records of a tag (two letters), a length (three digits) and a value (1 to
 * 999 bytes), the version (CZ) first. Over TCP nothing marks the end of a message.
 *
 * The sources are the clients and the simulated terminal of akretion/caisse-ap-ip and OCA's
 * l10n_fr_pos_caisse_ap_ip, HiPay's "Local API for Nepting" and PayXpert's "Concert V3". The
 * association's own document is not public.
 */
import type { MessageStream } from '../line/tcp-line.ts';
import { receiptDigits } from '../../core/domain/receipt-number.ts';
import {
  amountOf,
  currencyOf,
  type Request,
  type ConcertOutcome,
  WHY,
  type Why,
} from './request.ts';

const header = /^([A-Z]{2})(\d{3})$/;
const headerLength = 5;
/** More than the protocol has tags. */
export const maxRecords = 64;

/** A message begins with the tag of its version. */
const begin = 'CZ';

/** Whether these bytes begin a message of version 3; null when more bytes are needed. */
export function beginsAsV3(head: Uint8Array): boolean | null {
  const text = Buffer.from(head.subarray(0, begin.length)).toString('latin1');
  if (!begin.startsWith(text)) return false;
  return text.length === begin.length ? true : null;
}

export interface TlvRecord {
  readonly tag: string;
  readonly value: string;
}

/** @returns null when the bytes are not exactly one record */
export function readRecord(bytes: Uint8Array): TlvRecord | null {
  const text = Buffer.from(bytes).toString('latin1');
  const [, tag, length] = header.exec(text.slice(0, headerLength)) ?? [];
  if (tag === undefined || Number(length) === 0 || text.length !== headerLength + Number(length))
    return null;
  return { tag, value: text.slice(headerLength) };
}

/** Reads a whole message, as a block brings it. One whose records are not whole is refused. */
export function readWholeV3(bytes: Uint8Array): Request {
  const stream = new RecordStream();
  const pieces = stream.push(bytes).filter((piece) => !isLineEnd(piece));
  const records = pieces.flatMap((piece) => readRecord(piece) ?? []);
  const isWhole =
    !stream.isInside && pieces.length <= maxRecords && records.length === pieces.length;
  const request = readV3(records);
  return isWhole ? request : { ...request, command: impossible(WHY.badFormat) };
}

/**
 * Splits a connection's bytes into records. Bytes that cannot begin one are passed on at once, for
 * `readRecord` to refuse, and nothing after them is.
 */
export class RecordStream implements MessageStream {
  #rest: Uint8Array = new Uint8Array(0);
  #isBroken = false;

  get isInside(): boolean {
    return this.#rest.length > 0;
  }

  push(chunk: Uint8Array): Uint8Array[] {
    if (this.#isBroken) return [];
    const bytes = Buffer.concat([this.#rest, chunk]);
    const records: Uint8Array[] = [];
    let from = 0;
    while (from < bytes.length) {
      const length = lengthOf(bytes.subarray(from, from + headerLength));
      if (length === 'broken') {
        this.#isBroken = true;
        this.#rest = new Uint8Array(0);
        return [...records, bytes.subarray(from, from + headerLength)];
      }
      if (length === null || from + length > bytes.length) break;
      records.push(bytes.subarray(from, from + length));
      from += length;
    }
    this.#rest = Uint8Array.from(bytes.subarray(from));
    return records;
  }
}

/**
 * Length in bytes of the record that begins here, with its header; a line end counts as one byte;
 * null when the header is incomplete.
 */
function lengthOf(head: Uint8Array): number | 'broken' | null {
  const text = Buffer.from(head).toString('latin1');
  if (isLineEnd(head.subarray(0, 1))) return 1;
  if (!/^([A-Z]{1,2}|[A-Z]{2}\d{1,3})$/.test(text)) return 'broken';
  if (text.length < headerLength) return null;
  const length = Number(text.slice(2));
  return length === 0 ? 'broken' : headerLength + length;
}

/** Some tills send a line end after a message. */
export const isLineEnd = (bytes: Uint8Array): boolean =>
  bytes.length === 1 && (bytes[0] === 0x0d || bytes[0] === 0x0a);

/**
 * Application chosen by the till (CC): none, a card (which tills also send for other electronic
 * payments), or a code to scan. Others are refused.
 */
const applications: ReadonlySet<string> = new Set(['000', '001', '00B', '607']);
const paymentByCode = '607';
/** Actions that ask for a result again: a duplicate, and the status of a transaction (PayXpert). */
const duplicates: ReadonlySet<string> = new Set(['3', 'T']);
/** Fields that are read. */
const read = ['CZ', 'CB', 'CC', 'CD', 'CE', 'CH', 'BA'] as const;
/** Fields that the answer repeats, with any bytes in them. Tills check some of them. */
const echoed = ['CJ', 'CA', 'CB', 'CD', 'CE', 'CF', 'CH', 'BF'] as const;
/** A message names each of these fields once. */
const meaningful: ReadonlySet<string> = new Set([...read, ...echoed]);

const encode = (fields: readonly (readonly [tag: string, value: string])[]): Uint8Array =>
  Buffer.from(
    fields.map(([tag, value]) => `${tag}${String(value.length).padStart(3, '0')}${value}`).join(''),
    'latin1',
  );

export function readV3(message: readonly TlvRecord[]): Request {
  const fields = new Map(message.map(({ tag, value }) => [tag, value]));
  const answer = (result: ConcertOutcome): Uint8Array => {
    const paid = result.done ? result.paid : null;
    const amount =
      paid !== null && amountOf(fields.get('CB') ?? '') !== paid.amountMinor
        ? [['CB', String(paid.amountMinor)] as const]
        : [];
    return encode([
      ['CZ', fields.get('CZ') ?? '0300'],
      ['AE', result.done ? '10' : '01'],
      ...(result.done ? [] : [['AF', result.why] as const]),
      ...echoed.flatMap((tag) => {
        const value = tag === 'CB' && amount.length > 0 ? undefined : fields.get(tag);
        return value === undefined ? [] : [[tag, value] as const];
      }),
      ...amount,
      ...(paid === null
        ? []
        : [['CC', paymentByCode] as const, ['AC', receiptDigits(paid.receiptNumber)] as const]),
    ]);
  };
  const relevant = message.filter(({ tag }) => meaningful.has(tag));
  const isEachOnce = new Set(relevant.map(({ tag }) => tag)).size === relevant.length;
  const command = isEachOnce ? commandOf(fields) : impossible(WHY.badFormat);
  return { command, reference: fields.get('CH') ?? null, answer };
}

const impossible = (why: Why) => ({ what: 'impossible', why }) as const;

function commandOf(fields: ReadonlyMap<string, string>): Request['command'] {
  const action = fields.get('CD');
  if (!/^03\d\d$/.test(fields.get('CZ') ?? '') || action === undefined)
    return impossible(WHY.badFormat);
  if (action === 'I') return { what: 'identification' };
  if (duplicates.has(action)) return { what: 'duplicate' };
  if (action !== '0') return impossible(WHY.unknownAction);
  const amountMinor = amountOf(fields.get('CB') ?? '');
  const currencyDigits = fields.get('CE') ?? '';
  if (amountMinor === null || !/^\d{3}$/.test(currencyDigits)) return impossible(WHY.badFormat);
  const currency = currencyOf(currencyDigits);
  if (currency === null) return impossible(WHY.currencyNotSupported);
  // BA asks for an answer at once, before the outcome is known. The sources differ on how a till
  // distinguishes that answer from "paid". Refuse it.
  if ((fields.get('BA') ?? '0') !== '0' || !applications.has(fields.get('CC') ?? '000'))
    return impossible(WHY.badSelection);
  return { what: 'payment', amountMinor, currency };
}
