import { createCipheriv, createDecipheriv, createHmac, pbkdf2Sync } from 'node:crypto';
import { nexoLane, nexoProtocol, type NexoSettings } from '../../../../main/tills/nexo/protocol.ts';
import type { LaneSettings } from '../../../../main/core/lane/lane.ts';
import { join } from 'node:path';
import { unnamedShop } from '../../../../main/core/domain/shop.ts';
import { type Log, silentLog } from '../../../../main/core/domain/log.ts';
import { NoticeBoard } from '../../../../main/counter/manager/health/notice-board.ts';
import { Refusals } from '../../../../main/tills/nexo/refusals.ts';
import type { TerminalOptions } from '../../../../main/tills/nexo/terminal-message.ts';
import { type Answer, ApiWorld } from '../http/support.ts';

export const poiId = 'Tillbeacon-1';
export const key = { identifier: 'shop', version: 1, passphrase: 'correct horse battery staple' };

interface Told {
  readonly Response: {
    readonly Result: string;
    readonly ErrorCondition?: string;
    readonly AdditionalResponse?: string;
  };
  readonly POIData?: {
    readonly POITransactionID: { readonly TransactionID: string; readonly TimeStamp: string };
  };
  readonly RepeatedMessageResponse?: {
    readonly MessageHeader: object;
    readonly RepeatedResponseMessageBody: Readonly<Record<string, Told>>;
  };
  readonly [field: string]: unknown;
}

export interface Heard {
  readonly status: number;
  readonly body: unknown;
  /** The body of the response, e.g. of `PaymentResponse`. */
  readonly told: Told;
}

/** A message as a till makes it, in which `category` names the request. */
export const message = (category: string, request: object, header: object = {}) => ({
  SaleToPOIRequest: {
    MessageHeader: {
      ProtocolVersion: '3.0',
      MessageClass: 'Service',
      MessageCategory: category,
      MessageType: 'Request',
      SaleID: 'POS-1',
      ServiceID: '0001',
      POIID: poiId,
      ...header,
    },
    [`${category}Request`]: request,
  },
});

export const payment = (atMs: number, amount: number, id = '20087') => ({
  SaleData: { SaleTransactionID: { TransactionID: id, TimeStamp: new Date(atMs).toISOString() } },
  PaymentTransaction: { AmountsReq: { Currency: 'DKK', RequestedAmount: amount } },
});

/** The till's part of the protection, written from its specification alone. */
const material = (passphrase: string): Buffer =>
  pbkdf2Sync(Buffer.from(passphrase, 'latin1'), 'AdyenNexoV1Salt', 4000, 80, 'sha1');
const ivOf = (bytes: Buffer, nonce: Buffer): Buffer =>
  Buffer.from(nonce.map((byte, at) => byte ^ (bytes[64 + at] as number)));

export function protect(
  sent: { SaleToPOIRequest: { MessageHeader: object } },
  { passphrase, identifier, version } = key,
  nonce = Buffer.alloc(16, 7),
) {
  const text = JSON.stringify(sent);
  const bytes = material(passphrase);
  const cipher = createCipheriv('aes-256-cbc', bytes.subarray(32, 64), ivOf(bytes, nonce));
  return {
    SaleToPOIRequest: {
      MessageHeader: sent.SaleToPOIRequest.MessageHeader,
      NexoBlob: Buffer.concat([cipher.update(text), cipher.final()]).toString('base64'),
      SecurityTrailer: {
        AdyenCryptoVersion: 1,
        KeyIdentifier: identifier,
        KeyVersion: version,
        Nonce: nonce.toString('base64'),
        Hmac: createHmac('sha256', bytes.subarray(0, 32)).update(text).digest('base64'),
      },
    },
  };
}

interface Protected {
  readonly NexoBlob: string;
  readonly SecurityTrailer: { readonly Nonce: string; readonly Hmac: string };
}

export function reveal({ NexoBlob, SecurityTrailer }: Protected): unknown {
  const bytes = material(key.passphrase);
  const cipher = createDecipheriv(
    'aes-256-cbc',
    bytes.subarray(32, 64),
    ivOf(bytes, Buffer.from(SecurityTrailer.Nonce, 'base64')),
  );
  const text = Buffer.concat([cipher.update(NexoBlob, 'base64'), cipher.final()]);
  if (
    createHmac('sha256', bytes.subarray(0, 32)).update(text).digest('base64') !==
    SecurityTrailer.Hmac
  )
    throw new Error('the HMAC is wrong');
  return JSON.parse(text.toString('utf8'));
}

/** A lane as a terminal, on a real socket. */
export class NexoWorld extends ApiWorld {
  #refusals!: Refusals;
  head: Parameters<typeof nexoLane>[2] = {
    laneName: 'Check-out 1',
    shop: unnamedShop,
    language: 'en',
  };
  readonly notices = new NoticeBoard({ wallMs: () => this.world.clock.wallMs() } as never);
  /** How many messages have reached the terminal. */
  reached = 0;

  async openNexo(
    about: Partial<LaneSettings> = {},
    nexo: NexoSettings = { poiId, key },
  ): Promise<this> {
    const lanes = () => {
      this.reached += 1;
      return [nexoLane({ lane: this.world.lane.tillRequests, till: this.till }, nexo, this.head)];
    };
    // The clock exists only once the world is open.
    const clock = { wallMs: () => this.world.clock.wallMs() } as never;
    this.#refusals = this.#openRefusals();
    const refusals: TerminalOptions['refusals'] = {
      keep: (...about) => this.#refusals.keep(...about),
      before: (...about) => this.#refusals.before(...about),
      keepReversal: (...about) => this.#refusals.keepReversal(...about),
      reversalBefore: (...about) => this.#refusals.reversalBefore(...about),
      hasForgotten: (...about) => this.#refusals.hasForgotten(...about),
      mayHaveForgotten: (...about) => this.#refusals.mayHaveForgotten(...about),
      bind: (...about) => this.#refusals.bind(...about),
      boundTo: (...about) => this.#refusals.boundTo(...about),
    };
    return this.open(about, {
      protocols: [nexoProtocol({ lanes, clock, version: '1.0', refusals, notices: this.notices })],
    });
  }

  /** Restarts as after a kill, without closing anything in good order. */
  async restart(prepare: Parameters<ApiWorld['killLane']>[0] = () => {}): Promise<void> {
    await this.killLane(prepare);
    this.#refusals = this.#openRefusals();
  }

  get refusalsPath(): string {
    return join(this.folder, 'nexo-refusals.sqlite');
  }

  #openRefusals(): Refusals {
    const log: Log = { ...silentLog, error: (_fields, message) => void this.logged.push(message) };
    return new Refusals({
      path: this.refusalsPath,
      clock: { wallMs: () => this.world.clock.wallMs() } as never,
      log,
    });
  }

  get nowMs(): number {
    return this.world.clock.wallMs();
  }

  async say(
    category: string,
    request: object,
    header: object = {},
    about: { token?: string | null } = {},
  ): Promise<Heard> {
    return heard(
      await this.ask('POST', '/nexo', { body: message(category, request, header), ...about }),
      category,
    );
  }

  async sayRaw(
    body: unknown,
    category = 'Payment',
    about: { token?: string | null; headers?: Readonly<Record<string, string>> } = {},
  ): Promise<Heard> {
    return heard(await this.ask('POST', '/nexo', { body, ...about }), category);
  }
}

function heard({ status, body }: Answer, category: string): Heard {
  const whole = body as { readonly SaleToPOIResponse?: Readonly<Record<string, Told>> } | string;
  const told =
    typeof whole === 'string' ? undefined : whole.SaleToPOIResponse?.[`${category}Response`];
  return { status, body, told: told as Told };
}
