/** The token endpoint and the headers that every call carries (interface document 2, "Authentication"; document 4, sections 1.10, 1.12 and 2). */
import { headerNames } from '../../../wallet/v10/profile.ts';
import { Text36 } from '../../../wallet/v10/point-of-sale/schemas.ts';
import type { Incoming } from '../face.ts';
import { type Caller, ServiceError, type World } from '../world.ts';
import { forgetOldest } from '../rule-checker.ts';

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

export class Authority {
  readonly #world: World;
  readonly #names: ReturnType<typeof headerNames>;
  /** As Node names the headers of a request. */
  readonly #lowerNames: ReadonlyMap<string, string>;
  readonly #tokens = new Map<string, Token>();

  constructor(world: World) {
    this.#world = world;
    this.#names = headerNames(world.profile);
    this.#lowerNames = new Map(Object.values(this.#names).map((name) => [name, name.toLowerCase()]));
  }

  token(authorization: string | undefined, contentType: string | undefined, form: string): TokenAnswer {
    const [id, ...secret] = Buffer.from(authorization?.replace(/^Basic /, '') ?? '', 'base64')
      .toString('utf8')
      .split(':');
    const client = this.#world.clients.get(id ?? '');
    if (!authorization?.startsWith('Basic ') || client === undefined || client.clientSecret !== secret.join(':')) return { status: 401, body: null };
    if (contentType?.split(';')[0]?.trim().toLowerCase() !== 'application/x-www-form-urlencoded') return { status: 400, body: { error: 'invalid_request' } };
    const parameters = new URLSearchParams(form);
    if (parameters.get('grant_type') !== 'client_credentials') return { status: 400, body: { error: 'unsupported_grant_type' } };
    const merchantVat = parameters.get('merchant_vat');
    if (merchantVat !== null && (!vatPattern.test(merchantVat) || !this.#world.merchants.has(merchantVat)))
      return { status: 400, body: { error: 'invalid_request', error_description: 'merchant_vat' } };
    const token = `${this.#world.ids.uuid()}${this.#world.ids.uuid()}`.replaceAll('-', '');
    const expiresIn = this.#world.policy.tokenSeconds;
    this.#tokens.set(token, { integratorId: client.integratorId, merchantVat, expiresAtMs: this.#world.clock.monotonicMs() + expiresIn * 1000 });
    forgetOldest(this.#tokens);
    return { status: 200, body: { access_token: token, expires_in: expiresIn, token_type: 'Bearer', scope: 'integrator_scope' } };
  }

  /** @throws ServiceError 401 without a body, or 400 with the header's code */
  caller(request: Incoming): Caller {
    const authorization = request.headers.authorization;
    const token = authorization?.startsWith('Bearer ') ? this.#tokens.get(authorization.slice('Bearer '.length)) : undefined;
    if (token === undefined || this.#world.clock.monotonicMs() >= token.expiresAtMs) throw new ServiceError(401, null, '');
    const version = this.#single(request, this.#names.clientVersion, { missing: '1153', repeated: '1157' });
    if (!/^\d+\.\d+\.\d+$/.test(version ?? '')) throw new ServiceError(400, '1161', 'The client version must be Major.Minor.Build');
    const vat = this.#single(request, this.#names.merchantVat, { missing: token.merchantVat === null ? '1151' : null, repeated: '1155' });
    if (vat !== null && !vatPattern.test(vat)) throw new ServiceError(400, '1159', 'The merchant VAT number must be DK or FI and eight digits');
    return { integratorId: token.integratorId, merchantVat: token.merchantVat ?? (vat as string) };
  }

  /** What stands in the header, valid or not; null when it is not there. */
  sentKey(request: Incoming): string | null {
    const key = request.headers[this.#lower(this.#names.idempotencyKey)];
    return typeof key === 'string' && key !== '' ? key : null;
  }

  /** @throws ServiceError 400 */
  idempotencyKey(request: Incoming): string {
    const key = this.#single(request, this.#names.idempotencyKey, { missing: '1164', repeated: '1163' }) as string;
    if (!Text36.safeParse(key).success) throw new ServiceError(400, '1162', 'The idempotency key must be 1 to 36 allowed characters');
    return key;
  }

  #lower(name: string): string {
    return this.#lowerNames.get(name) as string;
  }

  #single(request: Incoming, name: string, codes: { missing: string | null; repeated: string }): string | null {
    const values = request.headersDistinct[this.#lower(name)] ?? [];
    if (values.length > 1) throw new ServiceError(400, codes.repeated, `${name} is given more than once`);
    const value = values[0] ?? '';
    if (value !== '') return value;
    if (codes.missing !== null) throw new ServiceError(400, codes.missing, `${name} is missing`);
    return null;
  }
}
