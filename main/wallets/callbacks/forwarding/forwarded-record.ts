/** Records as JSON for programs, and as text for a terminal. */
import { toMajorUnits } from '../../../core/domain/money.ts';
import { outsideText } from '../../../core/domain/outside-text.ts';
import { maskedAddress } from '../../../core/domain/service-address.ts';
import type { DeadLetter } from './forward-store.ts';
import type { RejectedRecord, StoredRecord } from '../callback-record.ts';
import { withUnseenEscaped } from '../../../support/json-line.ts';

const timeOf = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString();

/** A record as `follow` prints and `forward` sends it. docs/callbacks.md describes the fields. */
export function recordForPrograms({
  seq,
  receivedAtMs,
  origin,
  changed,
  record,
}: StoredRecord): object {
  const {
    kind,
    subjectId,
    status,
    statusText,
    code,
    externalId,
    amountMinor,
    currency,
    atMs,
    sequence,
    agreementId,
    paymentId,
    raw,
  } = record;
  return {
    seq,
    receivedAt: timeOf(receivedAtMs),
    origin,
    changed,
    kind,
    id: subjectId,
    status,
    statusText,
    code,
    externalId,
    amountMinor,
    currency,
    at: timeOf(atMs),
    sequence,
    agreementId,
    paymentId,
    // Only valid JSON is stored.
    raw: JSON.parse(raw) as unknown,
  };
}

/** `raw` stays text, because a rejected body may be invalid JSON. */
export function rejectedForPrograms({
  number,
  receivedAtMs,
  endpoint,
  reason,
  raw,
}: RejectedRecord): object {
  return { rejected: number, receivedAt: timeOf(receivedAtMs), endpoint, reason, raw };
}

const shortTime = (ms: number): string =>
  new Date(ms)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, 'Z');
const maxLineCharacters = 200;
const seen = (text: string): string => outsideText(text, maxLineCharacters);

/** A record in one line, without the control characters that a sender may have written. */
export function recordLine({ seq, receivedAtMs, origin, changed, record }: StoredRecord): string {
  const {
    kind,
    subjectId,
    externalId,
    status,
    statusText,
    code,
    amountMinor,
    currency,
    agreementId,
    paymentId,
  } = record;
  const parts = [
    `#${seq}`,
    shortTime(receivedAtMs),
    kind,
    status,
    subjectId,
    ...(amountMinor === null
      ? []
      : [`${toMajorUnits(amountMinor).toFixed(2)} ${currency ?? ''}`.trimEnd()]),
    ...(externalId === null ? [] : [`external id ${externalId}`]),
    ...(agreementId === null ? [] : [`agreement ${agreementId}`]),
    ...(paymentId === null ? [] : [`payment ${paymentId}`]),
    ...(statusText === null ? [] : [`"${statusText}"`]),
    ...(code === null ? [] : [`code ${code}`]),
    ...(origin === 'read' ? ['(asked)'] : []),
    ...(changed ? [] : ['(nothing new)']),
  ];
  return parts.map(seen).join('  ');
}

export function rejectedLine({ number, receivedAtMs, endpoint, reason }: RejectedRecord): string {
  return [`rejected ${number}`, shortTime(receivedAtMs), endpoint, reason].map(seen).join('  ');
}

/** `body` stays text, as it was signed and sent. */
export function deadLetterForPrograms({
  number,
  url,
  seq,
  id,
  reason,
  attempts,
  setAsideAtMs,
  resend,
  body,
}: DeadLetter): object {
  return {
    number,
    url: maskedAddress(url),
    seq,
    webhookId: id,
    reason,
    attempts,
    setAsideAt: timeOf(setAsideAtMs),
    toBeResent: resend === 1,
    body,
  };
}

export function deadLetterLine({
  number,
  url,
  seq,
  id,
  reason,
  attempts,
  setAsideAtMs,
  resend,
}: DeadLetter): string {
  const parts = [
    `${number}`,
    shortTime(setAsideAtMs),
    `#${seq}`,
    id,
    maskedAddress(url),
    `${reason}, after ${attempts} attempts`,
    ...(resend === 1 ? ['(to be sent again)'] : []),
  ];
  return parts.map(seen).join('  ');
}

const maxRawCharacters = 100_000;

/** The whole content in several lines; text that is not JSON is printed unchanged. */
export function rawText(raw: string): string {
  const lines = prettyJson(raw).slice(0, maxRawCharacters).split('\n');
  return lines
    .map((line) => `    ${outsideText(withUnseenEscaped(line), maxRawCharacters)}\n`)
    .join('');
}

function prettyJson(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw), null, 2);
  } catch {
    return raw;
  }
}
