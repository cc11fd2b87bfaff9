import { afterEach, describe, expect, test } from 'vitest';
import type { CommandOutcome } from '../../main/sandbox/till/register.ts';
import { decodeBcd } from '../../main/tills/zvt/bcd.ts';
import { BMP, type Fields } from '../../main/tills/zvt/bitmaps.ts';
import type { PacketName } from '../../main/tills/zvt/packet-table.ts';
import { negativeAnswer, positiveAnswer, resultCodeOf } from '../../main/tills/zvt/packets.ts';
import { RESULT } from '../../main/tills/zvt/result-codes.ts';
import { Counter } from '../support/counter.ts';
import { until } from '../support/processes.ts';

let counter: Counter;
afterEach(() => counter?.close());

/** Over TCP each connection registers before it may decide about a reservation. */
const register = () => counter.till.register({ currency: 'DKK', config: 0 });

/** Opens a counter on which 10.00 are reserved, with receipt 1. */
async function openWithReservation(): Promise<void> {
  counter = await Counter.open({ transport: 'tcp', reserves: true });
  await register();
  const reservation = counter.till.reserve(1_000, 'DKK');
  await counter.customerPays();
  expect(told(await reservation)).toEqual({ code: RESULT.ok, minor: 1_000, receipt: 1 });
  expect(await counter.serviceSays('Reserved')).toMatchObject({ captureCount: 0 });
}

const numberIn = (fields: Fields | undefined, bitmap: number): number | null =>
  decodeBcd(fields?.get(bitmap) ?? new Uint8Array(0));

/** What the till knows once its command has ended. */
function told({ refused, ended, statusInformations }: CommandOutcome): {
  code: number;
  minor: number | null;
  receipt: number | null;
} {
  const last = statusInformations.at(-1);
  const code =
    refused ??
    (ended?.by === 'abort' ? ended.code : (resultCodeOf(last ?? new Map()) ?? RESULT.systemError));
  return { code, minor: numberIn(last, BMP.amount), receipt: numberIn(last, BMP.receiptNumber) };
}

/** Asks until the terminal is ready for the command. */
async function ask(command: () => Promise<CommandOutcome>): Promise<ReturnType<typeof told>> {
  let heard = told(await command());
  await until(
    async () => {
      if (heard.code !== RESULT.pleaseWait && heard.code !== RESULT.noConnection) return true;
      heard = told(await command());
      return false;
    },
    'an answer',
    20_000,
  );
  return heard;
}

const openOnes = () => counter.till.openReservations();

const kinds = {
  capture: {
    ask: () => counter.till.capture(1, { usedMinor: 400 }, 'DKK'),
    minor: 400,
    status: 'Captured',
    captureCount: 1,
    captured: 4,
  },
  release: {
    ask: () => counter.till.release(1),
    minor: 1_000,
    status: 'CancelledByClient',
    captureCount: 0,
    captured: 0,
  },
} as const;
type Kind = keyof typeof kinds;

/**
 * Kills the process at the first packet of this name, after this answer to it, and restarts
 * everything as after a power cut.
 */
async function killedAt(kind: Kind, packet: PacketName, answer: Uint8Array | null): Promise<void> {
  let isOver = (): void => {};
  const came = new Promise<void>((resolve) => (isOver = resolve));
  counter.till.respondTo = (name) => {
    if (name !== packet) return positiveAnswer;
    isOver();
    return answer;
  };
  void kinds[kind].ask();
  await came;
  await counter.restartDaemon();
  await register();
}

/** Asks again until it is done. It must be done once, and 06 20 must tell it. */
async function isDoneInTheEnd(kind: Kind): Promise<void> {
  const { minor, status, captureCount, captured } = kinds[kind];
  const again = await ask(kinds[kind].ask);
  expect(again).toMatchObject({ code: RESULT.ok, minor });
  expect(await counter.serviceSays(status)).toMatchObject({
    captureCount,
    capturedAmount: captured,
  });
  expect(await ask(() => counter.till.repeatReceipt())).toEqual(again);
  expect(told(await kinds[kind].ask())).toEqual(again);
  expect(await counter.lastPayment()).toMatchObject({
    status,
    captureCount,
    capturedAmount: captured,
  });
  expect(await openOnes()).toEqual([]);
}

describe.each(['capture', 'release'] as const)(
  'the process is killed while a till asks for the %s of a reservation',
  (kind) => {
    test('after its numbers are on disk, before the till has answered: nothing is decided, asked again it is done', async () => {
      await openWithReservation();
      await killedAt(kind, 'statusInformation', null);
      expect(await counter.lastPayment()).toMatchObject({ status: 'Reserved', captureCount: 0 });
      expect(await ask(() => counter.till.repeatReceipt())).toEqual({
        code: RESULT.ok,
        minor: 1_000,
        receipt: 1,
      });
      expect(await openOnes()).toEqual([1]);
      await isDoneInTheEnd(kind);
    });

    test('with the acknowledgement on its way: what 06 20 tells is what happens', async () => {
      await openWithReservation();
      await killedAt(kind, 'statusInformation', positiveAnswer);
      const last = await ask(() => counter.till.repeatReceipt());
      const { minor, status } = kinds[kind];
      if (last.receipt === 1) expect(await openOnes()).toEqual([1]);
      else {
        expect(last).toEqual({ code: RESULT.ok, minor, receipt: 2 });
        await counter.serviceSays(status);
      }
      await isDoneInTheEnd(kind);
    });

    test('at its completion: it is decided, told again by 06 20 and by the same command, and done once', async () => {
      await openWithReservation();
      await killedAt(kind, 'completion', null);
      expect(await ask(() => counter.till.repeatReceipt())).toEqual({
        code: RESULT.ok,
        minor: kinds[kind].minor,
        receipt: 2,
      });
      await counter.serviceSays(kinds[kind].status);
      await isDoneInTheEnd(kind);
    });
  },
);

test('a till that refuses the result, and then asks for less: the first changes nothing, its number is used up, and the second is captured', async () => {
  await openWithReservation();
  counter.till.respondTo = (name) =>
    name === 'statusInformation' ? negativeAnswer(RESULT.timeoutOrAbort) : positiveAnswer;
  expect(await counter.till.capture(1, null)).toMatchObject({
    ended: { by: 'abort', code: RESULT.timeoutOrAbort },
  });
  counter.till.respondTo = () => positiveAnswer;
  expect(await openOnes()).toEqual([1]);
  expect(told(await counter.till.capture(1, { unusedMinor: 700 }, 'DKK'))).toEqual({
    code: RESULT.ok,
    minor: 300,
    receipt: 3,
  });
  expect(await counter.serviceSays('Captured')).toMatchObject({
    captureCount: 1,
    capturedAmount: 3,
  });
  // Another amount than the decided one is never reported as done.
  expect(told(await counter.till.capture(1, null)).code).toBe(RESULT.reservationError);
});
