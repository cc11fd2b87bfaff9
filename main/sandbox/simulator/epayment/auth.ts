/** Keys, tokens and the headers that every call carries (document 5, sections 1.2, 1.3 and 2.7). */
import { CappedMap } from '../../../core/domain/capped-map.ts';
import type { Authenticated } from '../api-module.ts';
import { maxRemembered } from '../rule-checker.ts';
import { ServiceError } from '../service-error.ts';
import type { IncomingRequest } from '../world-event.ts';
import type { Epayments, SalesUnit } from './epayment-registry.ts';

export interface Caller {
  readonly unit: SalesUnit;
  readonly subscriptionKey: string;
  /** Key of the request; empty when it has none. */
  readonly key: string;
  /** Host by which the simulator was reached. */
  readonly host: string;
}

/** Validity in the test environment. */
const tokenSeconds = 3_600;
const maxKey = 50;
const systemHeaders = [
  'vipps-system-name',
  'vipps-system-version',
  'vipps-system-plugin-name',
  'vipps-system-plugin-version',
];
const maxSystemText = 30;

export class EpaymentAuth {
  readonly #epayments: Epayments;
  readonly #tokens = new CappedMap<string, { readonly unit: SalesUnit; readonly endsAtMs: number }>(
    maxRemembered,
  );

  constructor(epayments: Epayments) {
    this.#epayments = epayments;
  }

  /** Authenticates a request for a token by its keys. @throws ServiceError 401 */
  keys(request: IncomingRequest): Authenticated<Caller> {
    const clientId = header(request, 'client_id');
    const unit = [...this.#epayments.units.values()].find((one) => one.clientId === clientId);
    if (
      unit === undefined ||
      unit.areKeysRevoked ||
      header(request, 'client_secret') !== unit.clientSecret
    )
      throw new ServiceError(401, null, 'The keys are not valid');
    return this.#authenticated(request, unit);
  }

  issue({ unit }: Caller) {
    const { ids, clock } = this.#epayments.world;
    const token = `${ids.uuid()}${ids.uuid()}`.replaceAll('-', '');
    this.#tokens.set(token, { unit, endsAtMs: clock.monotonicMs() + tokenSeconds * 1000 });
    const issuedOn = Math.floor(clock.wallMs() / 1_000);
    return {
      token_type: 'Bearer',
      expires_in: String(tokenSeconds),
      ext_expires_in: '0',
      expires_on: String(issuedOn + tokenSeconds),
      not_before: String(issuedOn),
      resource: unit.clientId,
      access_token: token,
    };
  }

  /** @throws ServiceError 401, 403, 400 about a header */
  caller(request: IncomingRequest): Authenticated<Caller> {
    const token = /^Bearer (\S+)$/.exec(header(request, 'authorization'))?.[1] ?? '';
    const issued = this.#tokens.get(token);
    if (
      issued === undefined ||
      issued.unit.areKeysRevoked ||
      this.#epayments.world.clock.monotonicMs() >= issued.endsAtMs
    )
      throw new ServiceError(401, null, 'The token is not valid');
    return this.#authenticated(request, issued.unit);
  }

  #authenticated(request: IncomingRequest, unit: SalesUnit): Authenticated<Caller> {
    const subscriptionKey = header(request, 'ocp-apim-subscription-key');
    if (!unit.subscriptionKeys.includes(subscriptionKey))
      throw new ServiceError(401, null, 'The subscription key is not valid');
    if (header(request, 'merchant-serial-number') !== unit.msn || !unit.isActive)
      throw new ServiceError(403, null, 'The keys are not for this sales unit');
    for (const name of systemHeaders) {
      const text = header(request, name);
      if (text === '' || text.length > maxSystemText)
        throw new ServiceError(400, null, `${name}: must have 1 to ${maxSystemText} characters`);
    }
    const { host } = request.headers;
    return {
      caller: {
        unit,
        subscriptionKey,
        key: header(request, 'idempotency-key'),
        host: typeof host === 'string' ? host : '',
      },
      keyScope: unit.msn,
    };
  }
}

/** @throws ServiceError 400 */
export function idempotencyKeyOf(request: IncomingRequest): string {
  const key = header(request, 'idempotency-key');
  if (key === '' || key.length > maxKey)
    throw new ServiceError(400, null, `Idempotency-Key: must have 1 to ${maxKey} characters`);
  return key;
}

/** Empty when the header is missing or there more than once. */
function header({ headersDistinct }: IncomingRequest, name: string): string {
  const values = headersDistinct[name] ?? [];
  return values.length === 1 ? (values[0] ?? '') : '';
}
