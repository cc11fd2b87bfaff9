/**
 * Why the wallet service did not do what setup asked: errors of the network and answers of the
 * service as reasons that a person can act on.
 */
import { Refusal } from '../../../preload/procedures/procedure.ts';
import type { ServiceRefusal } from '../../../preload/procedures/setup-service.ts';
import type { Clock } from '../../core/domain/clock.ts';
import { isClockTooFar, secondsAhead } from '../../core/domain/clock-off.ts';
import { proxyProblemOf } from '../../core/domain/network-settings.ts';
import { outsideText } from '../../core/domain/outside-text.ts';
import {
  failureOf,
  type HttpAnswer,
  type HttpRequest,
  type HttpSend,
} from '../../wallets/http/http.ts';
import { parseAnswer } from '../../wallets/http/json.ts';
import {
  CredentialsRefusedError,
  InvalidRequestError,
  ServiceRefusedError,
  ServiceUnreachableError,
  UnexpectedAnswerError,
} from '../../wallets/http/errors.ts';
import { messageOf } from '../../core/domain/errors.ts';
import { z } from 'zod';

/** The last exchange with the service. */
export interface ServiceExchange {
  readonly host: string;
  /** Which address of the settings was asked. */
  readonly field: 'authUrl' | 'baseUrl' | 'reportingUrl';
  readonly answer: HttpAnswer | null;
  /** How far this machine's clock is ahead of the service's; null when the service did not say. */
  readonly clockOffSeconds: number | null;
}

/** The network, with the last exchange over it. */
export class Exchanges {
  #last: ServiceExchange | null = null;
  readonly send: HttpSend;

  /** @param fieldOf which address of the settings a request is for */
  constructor(
    {
      send,
      clock,
      compareClock = (dateMs) => secondsAhead(clock.wallMs(), dateMs),
    }: {
      readonly send: HttpSend;
      readonly clock: Pick<Clock, 'wallMs'>;
      readonly compareClock?: (dateMs: number) => number;
    },
    fieldOf: (request: HttpRequest) => ServiceExchange['field'],
  ) {
    this.send = async (request, signal) => {
      const about = { host: new URL(request.url).host, field: fieldOf(request) };
      this.#last = { ...about, answer: null, clockOffSeconds: null };
      const answer = await send(request, signal);
      this.#last = {
        ...about,
        answer,
        clockOffSeconds: answer.dateMs === undefined ? null : compareClock(answer.dateMs),
      };
      return answer;
    };
  }

  /** null when there was none since {@link forget}. */
  get last(): ServiceExchange | null {
    return this.#last;
  }

  forget(): void {
    this.#last = null;
  }
}

/** @param about whether a merchant was named in the request */
export function reasonOf(
  error: unknown,
  exchange: ServiceExchange | null,
  about: { readonly merchant: boolean },
): Refusal {
  const message = messageOf(error);
  if (exchange === null)
    return error instanceof InvalidRequestError
      ? new Refusal('invalid', message, { field: error.field })
      : new Refusal('failed', message);
  const { host, field, answer, clockOffSeconds } = exchange;
  const refusal = (
    code: ServiceRefusal,
    facts: Readonly<Record<string, string | number>> = {},
    ofField: string | null = field,
  ): Refusal =>
    new Refusal(code, message, {
      ...(ofField !== null && { field: ofField }),
      facts: { host, ...facts },
    });

  if (error instanceof InvalidRequestError)
    return new Refusal('invalid', message, { field: error.field });
  if (error instanceof ServiceUnreachableError) {
    if (answer !== null) return refusal('serviceFailing', { status: answer.status });
    return ofNetwork(failureOf(error), refusal);
  }
  const status = answer?.status ?? 0;
  if (isClockTooFar(clockOffSeconds))
    return refusal('clockWrong', { seconds: clockOffSeconds }, null);
  if (error instanceof UnexpectedAnswerError) return refusal('wrongAddress', { status });
  if (error instanceof CredentialsRefusedError) {
    // A token that was just issued is refused: token service and point-of-sale service are not of
    // the same environment.
    if (field === 'baseUrl') return refusal('wrongAddress', { status });
    return ofTokenEndpoint(status, answer, about.merchant, refusal);
  }
  if (error instanceof ServiceRefusedError) {
    const { code } = error;
    const facts = { status, ...(code !== null && { code }) };
    if (code === null && (status === 404 || status === 405)) return refusal('wrongAddress', facts);
    if (code === '1202')
      return new Refusal('beaconTaken', message, { field: 'beaconId', facts: { host, code } });
    if (code !== null && versionCodes.has(code)) return refusal('versionRefused', facts, null);
    if (status === 403 || (code !== null && merchantCodes.has(code)))
      return refusal('merchantRefused', facts, 'merchantVat');
    return refusal('refused', facts, null);
  }
  return refusal('refused', { status });
}

type Refuse = (
  code: ServiceRefusal,
  facts?: Readonly<Record<string, string | number>>,
  field?: string | null,
) => Refusal;

/** Document 4, section 1.10. */
const versionCodes: ReadonlySet<string> = new Set(['1153', '1157', '1161']);
const merchantCodes: ReadonlySet<string> = new Set(['1151', '1155', '1159', '1182']);

function ofTokenEndpoint(
  status: number,
  answer: HttpAnswer | null,
  withMerchant: boolean,
  refusal: Refuse,
): Refusal {
  if (status === 404 || status === 405) return refusal('wrongAddress', { status });
  const said = z.object({ error: z.string() }).safeParse(parseAnswer(answer?.body ?? ''));
  const code = said.success ? outsideText(said.data.error) : null;
  const facts = { status, ...(code !== null && { code }) };
  // RFC 6749, section 5.2: invalid_client is also answered with 400.
  if (status === 401 || code === 'invalid_client')
    return refusal('clientRefused', facts, 'clientSecret');
  if (withMerchant) return refusal('merchantRefused', facts, 'merchantVat');
  return code === null
    ? refusal('wrongAddress', facts)
    : refusal('clientRefused', facts, 'clientId');
}

/** @param code of the system, as `failureOf` tells it */
export function ofNetwork(code: string, refusal: Refuse): Refusal {
  const detail = { detail: code };
  const ofProxy = proxyProblemOf(code);
  if (ofProxy !== null) return refusal(ofProxy, detail, null);
  if (/^(ENOTFOUND|EAI_\w+)$/.test(code)) return refusal('hostNotFound', detail);
  if (/^(ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL)$/.test(code))
    return refusal('connectionRefused', detail);
  if (code === 'CERT_NOT_YET_VALID') return refusal('clockWrong', { seconds: 0, ...detail }, null);
  if (/WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH|EPROTO/.test(code))
    return refusal('notTls', detail);
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME|ERR_TLS|ERR_SSL/.test(code))
    return refusal('certificateWrong', detail);
  if (/^no answer within|TIMEOUT|ETIMEDOUT/i.test(code)) return refusal('noAnswer', detail);
  return refusal('wrongAddress', { status: 0, ...detail });
}
