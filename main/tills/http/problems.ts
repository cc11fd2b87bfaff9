/** Every refusal of the HTTP API (RFC 9457): what it means for the money, and what to do. */
import { z } from 'zod';

const nothingBegun = 'Nothing has begun and nothing has changed.';
const sameKey = 'Send it again with the same Idempotency-Key.';

export interface ProblemKind {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 421 | 422 | 429 | 500 | 503;
  readonly title: string;
  readonly money: string;
  readonly action: string;
}

const kinds = {
  'invalid-request': {
    status: 400,
    title: 'The request breaks a rule',
    money: nothingBegun,
    action: 'Correct what `errors` names. The key is not used up.',
  },
  'key-missing': {
    status: 400,
    title: 'The header Idempotency-Key is missing or has another form',
    money: nothingBegun,
    action:
      'Take a new random UUID for each payment, keep it before you send it, and send it with every repetition.',
  },
  'token-missing': {
    status: 401,
    title: 'The token is missing or unknown',
    money: nothingBegun,
    action:
      'Send `Authorization: Bearer TOKEN` with a token that a manager has made for this till and that is not revoked.',
  },
  'scope-missing': {
    status: 403,
    title: 'The token lacks a scope',
    money: nothingBegun,
    action: 'A manager makes a token with the scope that `detail` names.',
  },
  'origin-refused': {
    status: 403,
    title: 'Pages of this origin may not call the API',
    money: nothingBegun,
    action: 'Name the origin in the settings, `api.origins`, if the page is your till.',
  },
  'not-found': {
    status: 404,
    title: 'This address does not exist',
    money: nothingBegun,
    action: 'See /v1/openapi.json.',
  },
  'payment-unknown': {
    status: 404,
    title: 'This lane has no payment with this id',
    money: nothingBegun,
    action:
      'If the answer to your POST was lost, send it again with its key. The answer is that payment, which is begun if it was not yet.',
  },
  'refund-unknown': {
    status: 404,
    title: 'This lane has no refund with this id',
    money: nothingBegun,
    action:
      'If the answer to your POST was lost, send it again with its key. The answer is that refund, which is begun if it was not yet.',
  },
  'method-refused': {
    status: 405,
    title: 'This address does not take this method',
    money: nothingBegun,
    action: 'See /v1/openapi.json.',
  },
  'lane-busy': {
    status: 409,
    title: 'The lane is busy with another payment or refund',
    money: `${nothingBegun} What is under way goes on.`,
    action: `Wait until it has ended, or cancel it. ${sameKey}`,
  },
  'too-late': {
    status: 409,
    title: 'It is too late to cancel',
    money: 'The payment is being completed, or is decided. Nothing was cancelled.',
    action: 'Read the payment. If it is paid, refund it.',
  },
  'not-the-tills': {
    status: 409,
    title: 'A cashier has made this payment by hand',
    money: 'Nothing has changed.',
    action: 'Leave it to the cashier’s or the manager’s screen.',
  },
  'amount-fixed': {
    status: 409,
    title: 'The amount can no longer be given, or not yet',
    money: 'Nothing has changed.',
    action: 'Read the payment: it takes its amount once, while `amountNeeded` is true.',
  },
  'not-reserved': {
    status: 409,
    title: 'This payment holds no reservation',
    money: 'Nothing has changed.',
    action: 'Read the payment: it says whether it was captured, cancelled or has expired.',
  },
  'not-refundable': {
    status: 409,
    title: 'This payment cannot be refunded',
    money: nothingBegun,
    action: 'It is not paid, or older than the service refunds. Read the payment.',
  },
  'already-refunded': {
    status: 409,
    title: 'All of this payment was refunded',
    money: nothingBegun,
    action: 'Read its refunds.',
  },
  'refund-open': {
    status: 409,
    title: 'Another refund of this payment is still open',
    money: nothingBegun,
    action: `Try again later; where a person has to clear it up, \`detail\` says so. ${sameKey}`,
  },
  'body-too-large': {
    status: 413,
    title: 'The body is too large',
    money: nothingBegun,
    action: 'Send at most 4096 bytes, or 262144 with a new payment.',
  },
  'not-json': {
    status: 415,
    title: 'The body is not JSON',
    money: nothingBegun,
    action: 'Send `Content-Type: application/json` and a JSON object.',
  },
  'host-refused': {
    status: 421,
    title: 'The API is not called by this name',
    money: nothingBegun,
    action: 'Call it by its address, or name the host in the settings, `api.names`.',
  },
  'key-reused': {
    status: 422,
    title: 'This Idempotency-Key was used for something else',
    money: 'Nothing new has begun. What the key began before is unchanged.',
    action: 'Take a new key for a new payment; for a repetition send the same body.',
  },
  'wrong-currency': {
    status: 422,
    title: 'The lane has another currency',
    money: nothingBegun,
    action: 'Send the currency that the lane names.',
  },
  'amount-too-low': {
    status: 422,
    title: 'The amount is too low',
    money: nothingBegun,
    action: 'Send at least 1 minor unit.',
  },
  'amount-too-high': {
    status: 422,
    title: 'The amount is too high',
    money: nothingBegun,
    action:
      'Refund at most the part that is not refunded yet. Capture at most the reserved amount.',
  },
  'whole-amount-only': {
    status: 422,
    title: 'The service captures all of this reservation or nothing',
    money: 'Nothing has changed.',
    action: 'Capture all of it and refund the rest, or cancel it.',
  },
  'no-reservations': {
    status: 422,
    title: 'This lane takes no reservations',
    money: nothingBegun,
    action: 'Set `plannedCaptureDelay` of the lane, or leave `reserve` out.',
  },
  'no-open-amounts': {
    status: 422,
    title: 'On this lane a payment begins with its amount',
    money: nothingBegun,
    action: 'Set `flow` of the lane to `prepare`, or leave `amountFollows` out.',
  },
  'no-age-limits': {
    status: 422,
    title: 'The wallet service of this lane checks no age',
    money: nothingBegun,
    action: 'Check the customer’s age yourself, and leave `minimumAge` out.',
  },
  'too-many-guesses': {
    status: 429,
    title: 'Too many unknown tokens from this address',
    money: nothingBegun,
    action: 'Wait as long as Retry-After says. A valid token is always accepted.',
  },
  'internal-error': {
    status: 500,
    title: 'An error of Tillbeacon',
    money: 'It is unknown whether anything has begun.',
    action: `${sameKey} It is one payment, however often you ask. The log says more.`,
  },
  'lane-not-ready': {
    status: 503,
    title: 'The lane takes no payments at the moment',
    money: nothingBegun,
    action: `\`detail\` says why. ${sameKey}`,
  },
  'service-unreachable': {
    status: 503,
    title: 'The wallet service does not answer',
    money: nothingBegun,
    action: `Let the customer pay otherwise, or try again. ${sameKey}`,
  },
  'storage-failed': {
    status: 503,
    title: 'The disk cannot be written',
    money: nothingBegun,
    action: 'The health page of the manager’s screen says why. Without it nothing can be paid.',
  },
  'lane-gone': {
    status: 503,
    title: 'The lane of this token does not exist, or its till no longer uses this API',
    money: nothingBegun,
    action: 'See the lanes in the settings.',
  },
  'too-many-streams': {
    status: 503,
    title: 'Too many event streams are open',
    money: nothingBegun,
    action: 'Close one, or ask with `wait`.',
  },
} as const satisfies Readonly<Record<string, ProblemKind>>;

export type ProblemCode = keyof typeof kinds;
export const problemKinds: Readonly<Record<ProblemCode, ProblemKind>> = kinds;

/** Does not change between versions, so that programs can compare it. */
export const problemType = (code: ProblemCode): string => `urn:tillbeacon:problem:${code}`;

export const Problem = z.object({
  type: z
    .string()
    .describe('The kind of problem. It never changes, so that programs can compare it.'),
  title: z.string(),
  status: z.int(),
  detail: z.string().describe('What happened in this case, in English, for the log.'),
  money: z.string().describe('What it means for the money.'),
  action: z.string().describe('What to do.'),
  errors: z
    .array(z.object({ field: z.string(), rule: z.string() }))
    .optional()
    .describe('For …:invalid-request: the fields and the rules that they break.'),
  paymentId: z.string().optional().describe('For …:lane-busy: the payment in progress.'),
  retryAfterSeconds: z.int().optional().describe('The same value as the header Retry-After.'),
});
export type Problem = z.infer<typeof Problem>;

/** Thrown to refuse a request. */
export class Refused extends Error {
  readonly code: ProblemCode;
  readonly more: Pick<Problem, 'errors' | 'paymentId' | 'retryAfterSeconds'>;

  /** @param detail this case in English, for the log; the title without it */
  constructor(code: ProblemCode, detail?: string, more: Refused['more'] = {}) {
    super(detail ?? kinds[code].title);
    this.code = code;
    this.more = more;
  }

  get body(): Problem {
    const { status, title, money, action } = kinds[this.code];
    return {
      type: problemType(this.code),
      title,
      status,
      detail: this.message,
      money,
      action,
      ...this.more,
    };
  }
}
