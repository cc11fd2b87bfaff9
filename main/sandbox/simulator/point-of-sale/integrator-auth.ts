/**
 * The token endpoint and the headers that every call carries (interface document 2,
 * "Authentication"; document 4, sections 1.10, 1.12 and 2).
 */
import { CappedMap } from '../../../core/domain/capped-map.ts';
import { headerNames } from '../../../wallets/v10/v10-profile.ts';
import { Text36 } from '../../../wallets/v10/point-of-sale/point-of-sale-schemas.ts';
import type { Caller } from './point-of-sale-model.ts';
import { ServiceError } from '../service-error.ts';
import type { World } from '../world.ts';
import type { IncomingRequest } from '../world-event.ts';
import { maxRemembered } from '../rule-checker.ts';

interface Token {
  readonly integratorId: string;
  readonly merchantVat: string | null;
  readonly expiresAtMs: number;
}

export type TokenAnswer =
  | { readonly status: 200; readonly body: object }
  | { readonly status: 400; readonly body: object }
  | { readonly status: 401; readonly body: null };

const vatPattern = /^(DK|FI)\d{8}$/;

export class IntegratorAuth {
  readonly #world: World;
  readonly #headers: {
    readonly clientVersion: HeaderName;
    readonly merchantVat: HeaderName;
    readonly idempotencyKey: HeaderName;
  };
  readonly #tokens = new CappedMap<string, Token>(maxRemembered);

  constructor(world: World) {
    this.#world = world;
    const { clientVersion, merchantVat, idempotencyKey } = headerNames(world.profile);
    const header = (name: string): HeaderName => ({ name, lowerCase: name.toLowerCase() });
    this.#headers = {
      clientVersion: header(clientVersion),
      merchantVat: header(merchantVat),
      idempotencyKey: header(idempotencyKey),
    };
  }

  token(
    authorization: string | undefined,
    contentType: string | undefined,
    form: string,
  ): TokenAnswer {
    const [id, ...secret] = Buffer.from(authorization?.replace(/^Basic /, '') ?? '', 'base64')
      .toString('utf8')
      .split(':');
    const client = this.#world.clients.get(id ?? '');
    if (
      !authorization?.startsWith('Basic ') ||
      client === undefined ||
      client.clientSecret !== secret.join(':')
    )
      return { status: 401, body: null };
    if (contentType?.split(';')[0]?.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
      return { status: 400, body: { error: 'invalid_request' } };
    const parameters = new URLSearchParams(form);
    if (parameters.get('grant_type') !== 'client_credentials')
      return { status: 400, body: { error: 'unsupported_grant_type' } };
    const merchantVat = parameters.get('merchant_vat');
    if (
      merchantVat !== null &&
      (!vatPattern.test(merchantVat) || !this.#world.merchants.has(merchantVat))
    )
      return { status: 400, body: { error: 'invalid_request', error_description: 'merchant_vat' } };
    const token = `${this.#world.ids.uuid()}${this.#world.ids.uuid()}`.replaceAll('-', '');
    const expiresIn = this.#world.policy.tokenSeconds;
    this.#tokens.set(token, {
      integratorId: client.integratorId,
      merchantVat,
      expiresAtMs: this.#world.clock.monotonicMs() + expiresIn * 1000,
    });
    return {
      status: 200,
      body: {
        access_token: token,
        expires_in: expiresIn,
        token_type: 'Bearer',
        scope: 'integrator_scope',
      },
    };
  }

  /** @throws ServiceError 401 without a body, or 400 with the header's code */
  caller(request: IncomingRequest): Caller {
    const authorization = request.headers['authorization'];
    const token =
      typeof authorization === 'string' && authorization.startsWith('Bearer ')
        ? this.#tokens.get(authorization.slice('Bearer '.length))
        : undefined;
    if (token === undefined || this.#world.clock.monotonicMs() >= token.expiresAtMs)
      throw new ServiceError(401, null, '');
    const { clientVersion, merchantVat } = this.#headers;
    const version = required(request, clientVersion, { missing: '1153', repeated: '1157' });
    if (!/^\d+\.\d+\.\d+$/.test(version))
      throw new ServiceError(400, '1161', 'The client version must be Major.Minor.Build');
    const sent = optional(request, merchantVat, '1155');
    if (sent !== null && !vatPattern.test(sent))
      throw new ServiceError(
        400,
        '1159',
        'The merchant VAT number must be DK or FI and eight digits',
      );
    return {
      integratorId: token.integratorId,
      merchantVat:
        token.merchantVat ?? required(request, merchantVat, { missing: '1151', repeated: '1155' }),
    };
  }

  /** The header's value, valid or not; null when it is missing. */
  sentKey({ headers }: Pick<IncomingRequest, 'headers'>): string | null {
    const key = headers[this.#headers.idempotencyKey.lowerCase];
    return typeof key === 'string' && key !== '' ? key : null;
  }

  /** @throws ServiceError 400 */
  idempotencyKey(request: IncomingRequest): string {
    const key = required(request, this.#headers.idempotencyKey, {
      missing: '1164',
      repeated: '1163',
    });
    if (!Text36.safeParse(key).success)
      throw new ServiceError(400, '1162', 'The idempotency key must be 1 to 36 allowed characters');
    return key;
  }
}

interface HeaderName {
  readonly name: string;
  /** The name as Node spells header names. */
  readonly lowerCase: string;
}

function optional(
  { headersDistinct }: IncomingRequest,
  { name, lowerCase }: HeaderName,
  repeatedCode: string,
): string | null {
  const values = headersDistinct[lowerCase] ?? [];
  if (values.length > 1)
    throw new ServiceError(400, repeatedCode, `${name} is given more than once`);
  return values[0] || null;
}

function required(
  request: IncomingRequest,
  header: HeaderName,
  codes: { readonly missing: string; readonly repeated: string },
): string {
  const value = optional(request, header, codes.repeated);
  if (value === null) throw new ServiceError(400, codes.missing, `${header.name} is missing`);
  return value;
}
