import { outsideText } from '../../core/domain/outside-text.ts';
import { parseAnswer } from './json.ts';

export interface ErrorBody {
  readonly code: string | null;
  readonly message: string | null;
  readonly correlationId: string | null;
  /**
   * Which part of the service refused; refund operations of the point of sale and app payments say
   * so (documents 2 and 3, "Errors").
   */
  readonly origin: string | null;
}

/**
 * What an error answer says, whichever interface it is of: `{code, message}` flat, or inside
 * `error_description` or `errorDetails` (document 4, sections 1.2, 3.4, 4 and 6); or problem
 * details, whose code is the entry `ErrorCode` of `extraDetails` (document 5, section 2.10). All
 * fields may be absent, and names differ in case; 404 often has no body at all.
 */
export function readErrorBody(body: string): ErrorBody {
  const fields = new Map<string, string>();
  collect(parseAnswer(body), fields);
  const first = (...names: string[]): string | null => {
    const known = names.find((name) => fields.has(name));
    return (known === undefined ? undefined : fields.get(known)) ?? null;
  };
  return {
    code: first('code', 'errorcode', 'error'),
    message: first('message', 'errordescription', 'errortext', 'detail', 'title'),
    correlationId: first('correlationid', 'traceid'),
    origin: first('origin'),
  };
}

function collect(value: unknown, into: Map<string, string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, field] of Object.entries<unknown>({ ...value })) {
    const name = key.toLowerCase().replaceAll('_', '');
    if (typeof field === 'string' || typeof field === 'number')
      into.set(name, outsideText(String(field)));
    else if (name === 'errordescription' || name === 'errordetails') collect(field, into);
    else if (name === 'extradetails' && Array.isArray(field)) collectCode(field, into);
  }
}

/** A breach of the schema names its field there instead, and has no code. */
function collectCode(details: readonly unknown[], into: Map<string, string>): void {
  for (const detail of details)
    if (
      typeof detail === 'object' &&
      detail !== null &&
      Reflect.get(detail, 'name') === 'ErrorCode'
    )
      into.set('code', outsideText(String(Reflect.get(detail, 'reason'))));
}
