import { describe, expect, test } from 'vitest';
import { Register } from '../../main/sandbox/till/register.ts';
import { silentLog } from '../../main/core/domain/log.ts';
import type { BookingTicket, RefundTicket, PaymentTicket } from '../../main/core/domain/sale.ts';
import type { Wire, WireListener } from '../../main/core/domain/wire.ts';
import { decodeApdu, encodeApdu } from '../../main/tills/zvt/apdu.ts';
import {
  encodePacket,
  hex,
  isOfAnswerClass,
  parsePacket,
  positiveAnswer,
  resultCodeOf,
} from '../../main/tills/zvt/packets.ts';
import { encodeBlock, SerialDecoder } from '../../main/tills/zvt/serial-framing.ts';
import { ZvtSerialLink } from '../../main/tills/zvt/serial-link.ts';
import { PlayedLine, type Transport, transports } from '../unit/tills/zvt/played-line.ts';
import { bytesOf, refundTicket, ticket } from '../unit/tills/zvt/support.ts';
import { ManualClock, settled } from '../unit/support/manual-clock.ts';
import { blocks, captured, type Conversation, conversations } from './zvt-conversations.ts';

type Step =
  | { readonly by: 'till'; readonly bytes: Uint8Array }
  | {
      readonly by: 'terminal';
      readonly pattern: string;
      /**
       * An example of what the terminal sends, where the pattern leaves open what a till has to
       * read.
       */
      readonly example: string | undefined;
      readonly answered: boolean;
      readonly optional: boolean;
    }
  | { readonly by: 'lane'; readonly what: string };

function stepsOf({ said }: Conversation): Step[] {
  return said
    .trim()
    .split(/\s*\n\s*/)
    .map((line): Step => {
      const [, who = '', rest = '', mark, example] =
        /^(PRINT|T|P\??|@) ?(.*?)( ?✓)?(?: = (.*))?$/.exec(line) ?? [];
      if (who === 'T') return { by: 'till', bytes: bytesOf(rest) };
      if (who === '@') return { by: 'lane', what: rest };
      if (who === '') throw new Error(`a line of a conversation cannot be read: ${line}`);
      return {
        by: 'terminal',
        pattern: who === 'PRINT' ? who : rest,
        example,
        answered: mark !== undefined,
        optional: who === 'P?',
      };
    });
}

/** `dd` two decimal digits, `xx` any byte, `a|b` one of two, `..` any bytes. */
function matcherOf(pattern: string): RegExp {
  const tokens = pattern.split(' ').map((token) => {
    if (token === '..') return '(?: [0-9A-F]{2})*';
    const either = token
      .split('|')
      .map((byte) => byte.replaceAll('x', '[0-9A-F]').replaceAll('d', '[0-9]'));
    return ` (?:${either.join('|')})`;
  });
  return new RegExp(`^${tokens.join('')}$`);
}
const matches = (packet: Uint8Array | undefined, pattern: string): boolean =>
  packet !== undefined && matcherOf(pattern).test(` ${hex(packet)}`);
const isPrint = (packet: Uint8Array | undefined): boolean =>
  packet !== undefined && /^06 D[13] /.test(hex(packet));

const startedAtMs = new Date(2026, 10, 22, 10, 15, 0).getTime();

function ticketsOf({
  amountMinor = 0,
  currency = 'DKK',
  receipt = 1,
  trace = receipt,
  original,
}: Conversation) {
  const numbers = {
    amountMinor,
    currency,
    receiptNumber: receipt,
    traceNumber: trace,
    startedAtMs,
  };
  const of = {
    originalReceiptNumber: original?.receipt ?? 0,
    originalTraceNumber: original?.trace ?? 0,
  };
  const sale: PaymentTicket = { ...ticket, ...numbers };
  const refund: RefundTicket = { ...refundTicket, ...numbers, ...of };
  const { saleId, orderId } = ticket;
  const reservedMinor = original?.amountMinor ?? 0;
  const kind = amountMinor === reservedMinor ? 'release' : 'capture';
  const booking: BookingTicket = { saleId, orderId, kind, reservedMinor, ...numbers, ...of };
  return { sale, refund, booking };
}

/** The lane of the conversation: the service, the customer and the journal behind it. */
function laneOf(line: PlayedLine, conversation: Conversation) {
  const { commands, till } = line;
  const { sale, refund, booking } = ticketsOf(conversation);
  commands.sale = { accepted: true, sale };
  commands.refund = { accepted: true, refund };
  commands.booking = { accepted: true, booking };
  commands.open = [];
  commands.onAbort = () => {
    if (commands.abortAnswer === 'aborting')
      till.conclude(sale, { paid: false, reason: 'cancelledByTill' });
  };
  switch (conversation.lane) {
    case undefined:
    case 'noOpenOnes':
      break;
    case 'alreadyRefunded':
    case 'amountDiffers':
      commands.refund = { accepted: false, reason: conversation.lane };
      break;
    case 'unknownReservation':
    case 'amountTooHigh':
      commands.booking = { accepted: false, reason: conversation.lane };
      break;
    case 'oneOpen':
    case 'twoOpen':
      commands.open = (conversation.lane === 'oneOpen' ? [123] : [123, 4_567]).map(
        (receiptNumber) => ({ receiptNumber, isEndingSoon: false }),
      );
      break;
    case 'lastPaid':
      commands.last = { sale, outcome: { paid: true }, certainty: 'confirmed' };
      break;
    case 'lastCancelled':
      commands.last = {
        sale,
        outcome: { paid: false, reason: 'cancelledByTill' },
        certainty: 'confirmed',
      };
      break;
  }
  const isRefund = (): boolean => commands.asked.some((asked) => asked.startsWith('refund'));
  let offer: Promise<unknown> = Promise.resolve(null);
  return async (what: string): Promise<void> => {
    const [verb, count] = what.split(' ');
    switch (verb) {
      case 'approve':
        offer = isRefund() ? till.offerRefunded(refund) : till.offerPaid(sale);
        return;
      case 'end': {
        const answer = await offer;
        if (isRefund())
          return till.concludeRefund(
            refund,
            answer === 'acknowledged'
              ? { refunded: true }
              : { refunded: false, reason: 'notDelivered' },
          );
        if (answer === 'acknowledged') return till.conclude(sale, { paid: true });
        const handedOutMinor =
          typeof answer === 'object' && answer !== null && 'handedOutMinor' in answer
            ? Number(answer.handedOutMinor)
            : null;
        if (handedOutMinor !== null)
          return till.conclude({ ...sale, amountMinor: handedOutMinor }, { paid: true });
        return till.conclude(sale, { paid: false, reason: 'notDelivered' });
      }
      case 'late':
        commands.abortAnswer = 'tooLate';
        return;
      case 'busy':
      case 'ready':
        commands.ready = verb;
        return;
      case 'wait':
        return line.clock.pass(Number(count));
      default:
        throw new Error(`the lane does not know: ${what}`);
    }
  };
}

/** Plays the till's side, and holds what the terminal says against the conversation. */
async function playTill(transport: Transport, conversation: Conversation): Promise<void> {
  const line = await new PlayedLine(transport, conversation.currency).open();
  const happens = laneOf(line, conversation);
  const waiting: Uint8Array[] = [];
  const answerNext = (): void => line.send(positiveAnswer);
  for (const step of stepsOf(conversation)) {
    waiting.push(...(await line.heard()));
    if (step.by === 'till') {
      expect(waiting.map(hex), `before ${hex(step.bytes)}`).toEqual([]);
      line.send(step.bytes);
    } else if (step.by === 'lane') await happens(step.what);
    else if (step.pattern === 'PRINT') {
      expect(isPrint(waiting[0]), 'a receipt').toBe(true);
      while (isPrint(waiting[0])) {
        waiting.shift();
        answerNext();
        waiting.push(...(await line.heard()));
      }
    } else {
      if (step.optional && !matches(waiting[0], step.pattern)) continue;
      const packet = waiting.shift();
      expect(packet === undefined ? 'nothing' : ` ${hex(packet)}`, step.pattern).toMatch(
        matcherOf(step.pattern),
      );
      if (step.answered) answerNext();
    }
  }
  waiting.push(...(await line.heard()));
  expect(waiting.map(hex), 'at the end').toEqual([]);
  await line.till.close();
}

/** A packet that fits the pattern: as a terminal would say it. */
function exampleOf(pattern: string): Uint8Array {
  const bytes = pattern.split(' ').flatMap((token) => {
    if (token === '..') return [];
    return [
      Number.parseInt(
        (token.split('|')[0] as string).replaceAll('x', '0').replaceAll('d', '0'),
        16,
      ),
    ];
  });
  // Bytes that are left out shorten the packet.
  return encodeApdu({
    classByte: bytes[0] as number,
    instruction: bytes[1] as number,
    data: Uint8Array.from(bytes.slice(3)),
  });
}

describe.each(transports)('the terminal, over %s, in the conversation', (transport) => {
  test.each(conversations)('$name', async (conversation) => playTill(transport, conversation));
});

/**
 * Till and terminal on one cable, both our own ends of it: what the till answers, and what it
 * understood.
 */
async function playTerminal(conversation: Conversation): Promise<void> {
  const clock = new ManualClock();
  const ends: (WireListener | null)[] = [null, null];
  const wireOf = (side: 0 | 1): Wire => ({
    write: async (bytes) => queueMicrotask(() => ends[1 - side]?.data(bytes)),
    close: async () => {},
  });
  const heard: Uint8Array[] = [];
  const terminal: ZvtSerialLink = new ZvtSerialLink({
    clock,
    log: silentLog,
    listener: { received: (apdu) => void heard.push(apdu) },
  });
  terminal.attach(wireOf(0));
  ends[0] = { data: (bytes) => terminal.data(bytes), lost: () => {} };
  const register = await Register.overSerial({
    path: '/dev/ttyTILL',
    clock,
    open: async (_port, listener) => {
      ends[1] = listener;
      return wireOf(1);
    },
  });
  const steps = stepsOf(conversation);
  let running: ReturnType<Register['command']> | null = null;
  let endsWithAnswer = false;
  /** What the till must know when its command ends. */
  const told: { refused: number | null; codes: number[]; end: Uint8Array | null } = {
    refused: null,
    codes: [],
    end: null,
  };
  const check = async (): Promise<void> => {
    if (running === null) return;
    const outcome = await running;
    expect(outcome.refused).toBe(told.refused);
    expect(outcome.statusInformations.map(resultCodeOf)).toEqual(told.codes);
    const end = told.end === null ? null : parsePacket(told.end);
    if (end?.kind === 'packet')
      expect(outcome.ended).toMatchObject(
        end.name === 'completion'
          ? { by: 'completion' }
          : { by: 'abort', code: end.parts.get('resultCode')?.[0] },
      );
    running = null;
    Object.assign(told, { refused: null, codes: [], end: null });
  };
  for (const [index, step] of steps.entries()) {
    if (step.by === 'till' && !isOfAnswerClass(step.bytes) && running === null) {
      // Commands that have only an answer end with it.
      const next = steps.slice(index + 1).find(({ by }) => by !== 'lane');
      const after = steps.slice(index + 1).filter(({ by }) => by !== 'lane')[1];
      const isRefused = next?.by === 'terminal' && next.pattern.startsWith('84');
      endsWithAnswer = isRefused || after?.by !== 'terminal';
      running = register.command(step.bytes, { endsWithAnswer });
      await settled();
      expect(heard.splice(0).map(hex)).toEqual([hex(step.bytes)]);
    }
    if (step.by !== 'terminal') continue;
    const packets =
      step.pattern === 'PRINT'
        ? ['06 D1 05 00 53 68 6F 70', '06 D1 05 81 31 32 33 34'].map(bytesOf)
        : [step.example === undefined ? exampleOf(step.pattern) : bytesOf(step.example)];
    for (const packet of packets) {
      const isAnswer = isOfAnswerClass(packet);
      if (step.optional && parsePacket(packet).kind !== 'packet') continue;
      // Answers to what the till says while its command runs belong to keys that this till does not
      // press here.
      if (isAnswer && running === null) continue;
      terminal.send(packet);
      await settled();
      if (isAnswer) {
        if (packet[0] === 0x84) told.refused = decodeApdu(packet)?.instruction ?? null;
        if (endsWithAnswer) await check();
        continue;
      }
      expect(heard.splice(0).map(hex), `the till's answer to ${hex(packet)}`).toEqual([
        hex(positiveAnswer),
      ]);
      const parsed = parsePacket(packet);
      expect(parsed.kind).toBe('packet');
      if (parsed.kind !== 'packet') continue;
      if (parsed.name === 'statusInformation') told.codes.push(resultCodeOf(parsed.fields) ?? -1);
      if (parsed.name !== 'completion' && parsed.name !== 'abort') continue;
      told.end = packet;
      await check();
    }
  }
  await register.close();
}

/**
 * Leaves out the conversations in which a till sends something within its command, which the till
 * of these tests never does.
 */
const ofOneCommandAtATime = conversations.filter((conversation) => {
  let runs = false;
  return stepsOf(conversation).every((step, index, steps) => {
    if (step.by === 'till') {
      const isWithin = runs || isOfAnswerClass(step.bytes);
      const next = steps[index + 1];
      const after = steps[index + 2];
      runs =
        !(next?.by === 'terminal' && next.pattern.startsWith('84')) &&
        after?.by !== 'till' &&
        after !== undefined;
      return !isWithin;
    }
    if (step.by === 'terminal' && /^06 (0F|1E)/.test(step.pattern)) runs = false;
    return true;
  });
});

describe('the till, in the conversation', () => {
  test.each(ofOneCommandAtATime)('$name', async (conversation) => playTerminal(conversation));

  test('of which most can be played', () => {
    expect(ofOneCommandAtATime.length).toBeGreaterThan(conversations.length / 2);
  });
});

describe('every packet of these conversations', () => {
  const ofTills = conversations.flatMap((conversation) =>
    stepsOf(conversation).flatMap((step) => (step.by === 'till' ? [hex(step.bytes)] : [])),
  );
  const all = [...new Set([...captured, ...ofTills])].filter(
    (packet) => !isOfAnswerClass(bytesOf(packet)),
  );

  test.each(all)('%s', (text) => {
    const bytes = bytesOf(text);
    expect(decodeApdu(bytes), 'its length').not.toBeNull();
    expect(new SerialDecoder().push(encodeBlock(bytes))).toEqual([{ kind: 'apdu', bytes }]);
    const packet = parsePacket(bytes);
    // Read, unless it says nothing that a terminal without cards knows, or lacks what it needs.
    if (packet.kind !== 'packet')
      return expect(text).toMatch(/^(06 95|06 E1|06 C0|0F A1|08 50|06 30 03) /);
    expect(packet.unknown).toBeNull();
    const again = encodePacket(packet.name, {
      parts: [...packet.parts.values()],
      fields: packet.fields,
      ...(packet.fields.size === 0 && { rest: packet.rest }),
    });
    // The order of its fields is its sender's.
    expect(parsePacket(again)).toMatchObject({
      name: packet.name,
      parts: packet.parts,
      fields: packet.fields,
    });
    expect(again).toHaveLength(bytes.length);
  });
});

test.each(blocks)('on the serial line, %s', (apdu, block) => {
  expect(hex(encodeBlock(bytesOf(apdu)))).toBe(block);
  expect(new SerialDecoder().push(bytesOf(block))).toEqual([
    { kind: 'apdu', bytes: bytesOf(apdu) },
  ]);
});
