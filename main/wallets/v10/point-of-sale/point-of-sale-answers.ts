import { messageOf } from '../../../core/domain/errors.ts';
import { InvalidRequestError, ServiceRefusedError } from '../../http/errors.ts';
import type { SettleAnswer } from '../../../core/lane/wallet-port.ts';

/** The payment is not in the state Prepared any more. */
const wrongStateForReady = '1303';

/**
 * Refusals that do not change when the request is repeated: the merchant, its store or this client
 * may not take payments.
 */
const notOnboardedCodes: ReadonlySet<string> = new Set(['1000', '1002', '1204', '1400', '1403']);

export function isNotOnboarded({ status, code }: ServiceRefusedError): boolean {
  return status === 403 || (code !== null && notOnboardedCodes.has(code));
}

/**
 * Sends a change, which may be repeated until a poll has confirmed it: the service answers 204,
 * which shows nothing.
 */
export async function settle(request: () => Promise<unknown>): Promise<SettleAnswer> {
  try {
    await request();
    return { kind: 'accepted' };
  } catch (error) {
    const detail = messageOf(error);
    if (error instanceof ServiceRefusedError) {
      if (error.status === 404) return { kind: 'notFound' };
      return {
        kind: 'refused',
        reason: error.code === wrongStateForReady ? 'wrongState' : 'other',
        code: error.code,
        detail,
      };
    }
    if (error instanceof InvalidRequestError)
      return { kind: 'refused', reason: 'other', code: null, detail };
    return { kind: 'unknown', detail };
  }
}
