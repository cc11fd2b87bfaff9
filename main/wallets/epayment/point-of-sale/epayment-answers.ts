import { messageOf } from '../../../core/domain/errors.ts';
import {
  InvalidRequestError,
  ServiceRefusedError,
  ServiceUnreachableError,
} from '../../http/errors.ts';
import type { SettleAnswer } from '../../../core/lane/wallet-port.ts';
import type { ChangeGate } from './change-gate.ts';

/** The refusal of a cancel with `cancelTransactionOnly` after the customer has approved. */
const customerWasFaster = '6060';
/**
 * The sales unit, or its keys, may not take payments, send requests to phones or refund, or its
 * payout account is not verified.
 */
const notOnboarded: ReadonlySet<string> = new Set(['5060', '5080', '5100']);
const unknownReference = '5090';
const locked = 423;

/**
 * Whether the service says that no payment has this reference. A 404 without the code comes from
 * something in between, and says nothing.
 */
export const saysThereIsNone = (error: unknown): boolean =>
  error instanceof ServiceRefusedError && error.status === 404 && error.code === unknownReference;

export const isNotOnboarded = ({ status, code }: ServiceRefusedError): boolean =>
  status === 403 || notOnboarded.has(code ?? '');

/**
 * Whether a refusal is certain: after a 423, or a 404 without a code, the request may have been
 * executed.
 */
export const isDefinite = (error: unknown): error is ServiceRefusedError =>
  error instanceof ServiceRefusedError &&
  error.status !== locked &&
  (error.status !== 404 || saysThereIsNone(error));

/** @throws ClosedError before anything is sent; what `request` rejects with */
export async function throughGate<Answer>(
  gate: ChangeGate,
  reference: string,
  request: () => Promise<Answer>,
): Promise<Answer> {
  const waitMs = gate.pass(reference);
  if (waitMs > 0) throw new ClosedError(waitMs);
  try {
    return await request();
  } catch (error) {
    if (error instanceof ServiceUnreachableError && error.status === 429)
      gate.close(reference, error.retryAfterMs);
    throw error;
  } finally {
    gate.ended(reference);
  }
}

/** Nothing was sent, because the service takes no more changes of this payment for now. */
class ClosedError extends Error {
  override readonly name = 'ClosedError';
  constructor(waitMs: number) {
    super(
      `not sent: the service takes the next change of this payment in ${Math.ceil(waitMs / 1000)} s`,
    );
  }
}

/**
 * The result of a capture or cancel, which is repeated until it is confirmed. It is judged by its
 * effect, not by its status alone (document 5, section 2.6).
 */
export async function settled<Answer>(
  request: () => Promise<Answer>,
  shown: (answer: Answer) => 'done' | 'notYet' | 'otherwise',
  isNew: boolean,
): Promise<SettleAnswer> {
  try {
    switch (shown(await request())) {
      case 'done':
        return { kind: 'done' };
      case 'notYet':
        return {
          kind: 'unknown',
          detail: 'the service accepted the request, and the payment does not show it',
        };
      case 'otherwise':
        return {
          kind: 'refused',
          reason: 'wrongState',
          code: null,
          detail: 'the service says that another amount is captured',
        };
    }
  } catch (error) {
    const detail = messageOf(error);
    if (error instanceof InvalidRequestError)
      return { kind: 'refused', reason: 'other', code: null, detail };
    if (!isDefinite(error)) return { kind: 'unknown', detail };
    const { code, status } = error;
    if (status === 404) return isNew ? { kind: 'unknown', detail } : { kind: 'notFound' };
    return {
      kind: 'refused',
      reason: code === customerWasFaster ? 'approved' : code === null ? 'other' : 'wrongState',
      code,
      detail,
    };
  }
}
