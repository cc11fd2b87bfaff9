/** Makes the message that forwards a record. */
import { hash } from 'node:crypto';
import { jsonLine } from '../../../support/json-line.ts';
import type { StoredRecord } from '../callback-record.ts';
import type { Message } from './forward-store.ts';
import { recordForPrograms } from './forwarded-record.ts';

const idCharacters = 32;

/**
 * The id is derived from the stored record. It is the same after a restart, after a restored backup
 * and in a later version, and records of two files never have the same.
 */
export function forwardedMessage(stored: StoredRecord): Message {
  const { seq, receivedAtMs, record } = stored;
  const fingerprint = hash(
    'sha256',
    JSON.stringify([seq, receivedAtMs, record.kind, record.subjectId, record.raw]),
    'hex',
  );
  return {
    seq,
    id: `callback_${seq}_${fingerprint.slice(0, idCharacters)}`,
    body: jsonLine(recordForPrograms(stored)),
  };
}
