/** A record as it is sent on. */
import { hash } from 'node:crypto';
import { jsonLine } from '../support/json-line.ts';
import type { StoredRecord } from '../wallet/callbacks/record.ts';
import type { Message } from './forward-store.ts';
import { recordForPrograms } from './told.ts';

const idCharacters = 32;

/**
 * The id follows from what was stored: it is the same after a restart, after a restored backup and in a later version, and two files of
 * callbacks never share one.
 */
export function forwardedMessage(stored: StoredRecord): Message {
  const { seq, receivedAtMs, record } = stored;
  const fingerprint = hash('sha256', JSON.stringify([seq, receivedAtMs, record.kind, record.subjectId, record.raw]), 'hex');
  return { seq, id: `callback_${seq}_${fingerprint.slice(0, idCharacters)}`, body: jsonLine(recordForPrograms(stored)) };
}
