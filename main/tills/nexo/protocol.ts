/**
 * `POST /nexo` beside the HTTP API, with its addresses, limits, names and origins. A message is
 * protected with the lane's shared key, or has a till's token in the `Authorization` header, as in
 * the HTTP API. Without either it is refused, on loopback too, because other users of this machine
 * can connect there.
 */
import { z } from 'zod';
import type { Notices } from '../../core/domain/notices.ts';
import type { HttpCounter } from '../http/lane.ts';
import type { ProtocolRequest, HttpProtocol, ProtocolAnswer } from '../http/protocol.ts';
import { Refused } from '../http/problems.ts';
import { readJson } from './json.ts';
import { Header, mistakesOf } from './messages.ts';
import { failure, formEncoded, type NexoRefusal } from './outcomes.ts';
import type { ReceiptIssuer } from './receipts.ts';
import {
  deriveKey,
  isOfKey,
  nobodysKey,
  openMessage,
  secureMessage,
  type SharedKey,
  Trailer,
} from './secured.ts';
import { scopeOf, NexoTerminal } from './terminal.ts';
import { answerHeader, type NexoAnswer, type TerminalOptions } from './terminal-message.ts';

export interface NexoSettings {
  /** How the till calls this terminal. */
  readonly poiId: string;
  /** The shared key. Without it, messages come with a token alone. */
  readonly key?:
    | { readonly identifier: string; readonly version: number; readonly passphrase: string }
    | undefined;
}

/** A lane as a terminal. */
export interface NexoLane extends HttpCounter {
  readonly poiId: string;
  readonly issuer: ReceiptIssuer;
  readonly key: SharedKey | null;
}

/** @param head what its receipts begin with */
export const nexoLane = (
  counter: HttpCounter,
  { poiId, key }: NexoSettings,
  head: Omit<ReceiptIssuer, 'poiId'>,
): NexoLane => ({
  ...counter,
  poiId,
  issuer: { ...head, poiId },
  key: key === undefined ? null : deriveKey(key),
});

export interface NexoOptions extends TerminalOptions {
  readonly notices: Notices;
  readonly lanes: () => readonly NexoLane[];
}

/** Enough for a payment with its basket. */
const maxBodyBytes = 64 * 1_024;
/** Longer than any payment: a lane has at most 170 s for the customer. */
const waitsForMs = 10 * 60_000;

/** Libraries of the dialect call the path with a slash at its end as well. */
const paths = ['/nexo', '/nexo/'] as const;

/**
 * The dialect's numbers for errors of a protected message (Adyen, "Protect with a library"; its
 * other numbers are not public). 2, another key or version, and 3, another header, would tell a
 * stranger which terminals and keys there are: all messages that no key of the terminal has
 * made get the same answer.
 */
const cryptoErrors = { unreadable: 1, other: 9 } as const;

const Envelope = z.object({ SaleToPOIRequest: z.looseObject({ MessageHeader: z.unknown() }) });
const Secured = z.object({ NexoBlob: z.base64(), SecurityTrailer: Trailer });

/** The lane of a message, and how its answer is protected. */
interface Sender {
  readonly lane: NexoLane;
  /**
   * The key that protected the message, and what tells it from every other; null when it came with
   * a token.
   */
  readonly protection: { readonly key: SharedKey; readonly seal: string } | null;
}

export function nexoProtocol(options: NexoOptions): HttpProtocol {
  const terminal = new NexoTerminal(options);
  return {
    paths,
    maxBodyBytes: maxBodyBytes,
    answer: (call) => answerOf(call, { ...options, terminal }),
  };
}

async function answerOf(
  asked: ProtocolRequest,
  options: NexoOptions & { readonly terminal: NexoTerminal },
): Promise<ProtocolAnswer> {
  const sent = readJson(asked.text);
  if (sent === undefined) return { status: 400, body: ['Bad JSON'] };
  const envelope = Envelope.safeParse(sent);
  if (!envelope.success)
    return { status: 400, body: ['SaleToPOIRequest.MessageHeader is missing'] };
  const request = envelope.data.SaleToPOIRequest;
  if ('NexoBlob' in request) return secured(request, asked, options);
  // Checked first, so that a caller without a token learns nothing about the message.
  const token = asked.token();
  const lane = options.lanes().find(({ lane: { id } }) => id === token.laneId);
  if (lane === undefined)
    throw new Refused(
      'lane-gone',
      `lane ${token.laneId} is not there, or its till does not speak Nexo`,
    );
  const header = Header.safeParse(request.MessageHeader);
  if (header.success && !token.scopes.includes(scopeOf(header.data.MessageCategory)))
    throw new Refused(
      'scope-missing',
      `the scope ${scopeOf(header.data.MessageCategory)} is missing`,
    );
  return {
    status: 200,
    body: await answerBody(request, { lane, protection: null }, asked, options.terminal),
  };
}

async function secured(
  request: z.output<typeof Envelope>['SaleToPOIRequest'],
  asked: ProtocolRequest,
  options: NexoOptions & { readonly terminal: NexoTerminal },
): Promise<ProtocolAnswer> {
  const parsed = Secured.safeParse(request);
  if (!parsed.success) return cryptoError('unreadable', request);
  const { NexoBlob, SecurityTrailer } = parsed.data;
  // By its key and not by its terminal: lanes may share a key, and how long it takes must not say
  // which terminals there are.
  const ofKey = options
    .lanes()
    .flatMap(({ key }) => (key !== null && isOfKey(key, SecurityTrailer) ? [key] : []));
  const keys = ofKey.length === 0 ? [nobodysKey] : distinct(ofKey);
  const tried = keys.map((key) => ({ key, message: openMessage(key, NexoBlob, SecurityTrailer) }));
  const opened = tried.find(({ message }) => message !== null);
  if (opened === undefined) {
    const why =
      ofKey.length === 0
        ? 'no terminal here has its KeyIdentifier and KeyVersion'
        : 'its KeyIdentifier and KeyVersion are right, its passphrase is not';
    options.notices.raise({ code: 'tillKeyDiffers', subject: asked.address, detail: why });
    return cryptoError('other', request, why);
  }
  const inner = Envelope.safeParse(readJson(opened.message ?? ''));
  if (!inner.success) return cryptoError('other', request, 'cannot be read');
  // The outer header is not protected.
  const { SaleToPOIRequest } = inner.data;
  if (!isSameHeader(request.MessageHeader, SaleToPOIRequest.MessageHeader))
    return cryptoError('other', request, 'has two headers');
  const poiId = textIn(SaleToPOIRequest.MessageHeader, 'POIID');
  const lane = options
    .lanes()
    .find((one) => one.poiId === poiId && one.key !== null && isSameKey(one.key, opened.key));
  if (lane === undefined) return cryptoError('other', request, 'names another terminal');
  options.notices.settle('tillKeyDiffers', asked.address);
  const seal = `${bytesIn(SecurityTrailer.Nonce)} ${bytesIn(SecurityTrailer.Hmac)}`;
  return {
    status: 200,
    body: await answerBody(
      SaleToPOIRequest,
      { lane, protection: { key: opened.key, seal } },
      asked,
      options.terminal,
    ),
  };
}

/** Base64 can write the same bytes in several ways. */
const bytesIn = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');

const isSameKey = (one: SharedKey, other: SharedKey): boolean =>
  one.hmacKey.equals(other.hmacKey) && one.cipherKey.equals(other.cipherKey);
/** Lanes that share a key have derived it from the same passphrase. */
const distinct = (keys: readonly SharedKey[]): SharedKey[] =>
  keys.filter((key, at) => keys.findIndex((one) => isSameKey(one, key)) === at);

async function answerBody(
  request: Readonly<Record<string, unknown>>,
  { lane: { lane, till, poiId, issuer }, protection }: Sender,
  asked: ProtocolRequest,
  terminal: NexoTerminal,
): Promise<object | null> {
  till.heard();
  const parsed = Header.safeParse(request['MessageHeader']);
  const envelope = (kind: 'Request' | 'Response', header: object, content: object): object =>
    protection === null
      ? { [`SaleToPOI${kind}`]: { MessageHeader: header, ...content } }
      : {
          [`SaleToPOI${kind}`]: {
            MessageHeader: header,
            ...secureMessage(
              protection.key,
              JSON.stringify({ [`SaleToPOI${kind}`]: { MessageHeader: header, ...content } }),
            ),
          },
        };
  const event = (about: object): object =>
    envelope(
      'Request',
      {
        ProtocolVersion: '3.0',
        MessageClass: 'Event',
        MessageCategory: 'Event',
        MessageType: 'Notification',
        POIID: poiId,
      },
      { EventNotification: about },
    );
  if (!parsed.success)
    return event({
      EventToNotify: 'Reject',
      EventDetails: formEncoded({ message: mistakesOf(parsed.error, 'MessageHeader') }),
    });
  const header = parsed.data;
  const category = header.MessageCategory;
  const answered = (answer: NexoAnswer): object | null => {
    if (answer === null) return null;
    return 'event' in answer
      ? event(answer.event)
      : envelope('Response', answerHeader(header), { [answer.name]: answer.body });
  };
  if (header.POIID !== poiId)
    return answered({ name: `${category}Response`, body: { Response: failure(notThisTerminal) } });
  const until = (isDone: () => boolean): Promise<void> => asked.until(isDone, waitsForMs);
  return answered(
    await terminal.answer({
      header,
      body: request[`${category}Request`],
      seal: protection?.seal ?? null,
      lane,
      poiId,
      issuer,
      address: asked.address,
      until,
      customerOf: (saleId) => till.customerOf(saleId),
    }),
  );
}

const notThisTerminal: NexoRefusal = {
  condition: 'NotFound',
  message: 'POIID names another terminal. Nothing has begun.',
};

/** @param why for the log alone */
function cryptoError(
  error: keyof typeof cryptoErrors,
  { MessageHeader }: { readonly MessageHeader?: unknown },
  why: string = error,
): ProtocolAnswer {
  const body = {
    errors: [`Nexo Service: crypto error (${cryptoErrors[error]})`],
    ServiceID: textIn(MessageHeader, 'ServiceID'),
  };
  return {
    status: 401,
    body,
    strange: `a message that is not protected with a key of its terminal was sent (${why})`,
  };
}

const headerFields = [
  'ProtocolVersion',
  'MessageClass',
  'MessageCategory',
  'MessageType',
  'SaleID',
  'ServiceID',
  'POIID',
] as const;
const isSameHeader = (one: unknown, other: unknown): boolean =>
  headerFields.every((field) => textIn(one, field) === textIn(other, field));

const textIn = (value: unknown, name: string): string | null => {
  const field: unknown =
    typeof value === 'object' && value !== null ? Reflect.get(value, name) : null;
  return typeof field === 'string' ? field : null;
};
