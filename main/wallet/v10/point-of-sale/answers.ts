import { InvalidRequestError, messageOf, ServiceRefusedError } from '../../http/errors.ts';
import type { SettleAnswer } from '../../port.ts';

/** Refusals that no repetition helps against: the merchant, its store or this client may not take payments. */
const notOnboardedCodes: ReadonlySet<string> = new Set(['1000', '1002', '1204', '1400', '1403']);

export function isNotOnboarded({ status, code }: ServiceRefusedError): boolean {
  return status === 403 || (code !== null && notOnboardedCodes.has(code));
}

/** A request that may be repeated until it is confirmed: capture, cancel. */
export async function settle(request: () => Promise<unknown>): Promise<SettleAnswer> {
  try {
    await request();
    return { kind: 'done' };
  } catch (error) {
    const detail = messageOf(error);
    if (error instanceof ServiceRefusedError) return error.status === 404 ? { kind: 'notFound' } : { kind: 'refused', code: error.code, detail };
    if (error instanceof InvalidRequestError) return { kind: 'refused', code: null, detail };
    return { kind: 'unknown', detail };
  }
}
