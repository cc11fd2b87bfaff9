import { randomInt } from 'node:crypto';
import { Register } from '../../main/sandbox/till/register.ts';
import { Counter } from '../support/counter.ts';
import { until } from '../support/processes.ts';
import { attackArea } from './attack.ts';

/** A counter with one reservation of 12.34 that is open, receipt 1. */
async function open(): Promise<Counter> {
  const counter = await Counter.open({ transport: 'tcp', reserves: true });
  await counter.till.register({ currency: 'DKK', config: 0 });
  const reservation = counter.till.reserve(1234, 'DKK');
  await counter.customerPays();
  await reservation;
  await counter.serviceSays('Reserved');
  return counter;
}

const port = (counter: Counter): number => Number(counter.started.lanes[0]?.till.split(':')[2]);
const stranger = (counter: Counter): Promise<Register> =>
  Register.overTcp({ host: '127.0.0.1', port: port(counter) });

/** Checks at the service and in the till's own list that the reservation is still open. */
async function stillOpen(counter: Counter): Promise<void> {
  const statuses = (await counter.state()).payments.map(
    ({ status, captureCount }) => `${status} ${captureCount}`,
  );
  if (statuses.join() !== 'Reserved 0')
    throw new Error(`the service's payments are ${statuses.join()}`);
  const listed = await counter.till.openReservations();
  if (listed?.join() !== '1')
    throw new Error(`the open reservations are ${listed?.join() ?? 'not told'}`);
}

const bytesOf = (hex: string): Uint8Array => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const packet = (head: string, body: string): Uint8Array => {
  const bytes = bytesOf(body);
  return Uint8Array.of(...bytesOf(head), bytes.length, ...bytes);
};

/**
 * Sends commands over a connection that has registered. @returns the answer to each, or that it got
 * none
 */
async function refused(counter: Counter, commands: readonly Uint8Array[]): Promise<string> {
  const codes = new Set<string>();
  for (const command of commands) {
    const till = await stranger(counter);
    try {
      await till.register({ currency: 'DKK', config: 0 });
      const outcome = await Promise.race([
        till.command(command),
        new Promise<null>((resolve) => setTimeout(resolve, 1_000, null)),
      ]);
      if (outcome?.ended?.by === 'completion')
        throw new Error(`${Buffer.from(command).toString('hex')} was completed`);
      const code =
        outcome === null
          ? null
          : (outcome.refused ?? (outcome.ended?.by === 'abort' ? outcome.ended.code : null));
      codes.add(code === null ? 'nothing' : code.toString(16));
    } finally {
      await till.close();
    }
  }
  await stillOpen(counter);
  return `answered with ${[...codes].join(', ')}; the reservation is open as it was`;
}

const heads = ['06 23', '06 24', '06 25', '06 26'];
const all = (body: string): Uint8Array[] => heads.map((head) => packet(head, body));

export const tillReservationsArea = attackArea<Counter>('till-reservations', {
  open,
  close: (counter) => counter.close(),
  attacks: [
    {
      name: 'a connection that has not registered captures and releases, and asks which reservations are open',
      async attempt(counter) {
        const till = await stranger(counter);
        const listed = await till.openReservations();
        const ends = [
          await till.capture(1, { usedMinor: 1 }, 'DKK'),
          await till.capture(1, { unusedMinor: 1 }, 'DKK'),
          await till.capture(1, null),
          await till.release(1),
        ];
        await till.close();
        if (listed !== null) throw new Error(`it was told ${listed.join()}`);
        if (ends.some(({ ended }) => ended?.by !== 'abort')) throw new Error('it was not refused');
        await stillOpen(counter);
        return 'refused, and told no number';
      },
    },
    {
      name: 'digits that are none, in the receipt number, the trace number and the amount',
      attempt: (counter) =>
        refused(
          counter,
          [
            '87 0A 01',
            '87 FF FE',
            '0B 00 0F 01',
            '87 00 01 0B AA AA AA',
            '87 00 01 04 00 00 00 00 0C 34',
            '87 00 01 04 FF FF FF FF FF FF',
          ].flatMap(all),
        ),
    },
    {
      name: 'fields that are missing',
      attempt: (counter) =>
        refused(counter, ['', '19 40', '04 00 00 00 00 12 34 49 02 08', '49 02 08'].flatMap(all)),
    },
    {
      name: 'lengths that lie: fields cut off, a container longer than its packet, an amount with a seventh byte',
      attempt: (counter) =>
        refused(
          counter,
          [
            '87 00',
            '87 00 01 04 00 00',
            '87 00 01 04 00 00 00 00 00 12 34 49 02 08',
            '87 00 01 06 7F 1F 2B 03',
            '06 84 FF FF FF FF',
            '06 06 1F 2B 20 00 00 01',
            '87 00 01 3C F9 F9 F9',
          ].flatMap(all),
        ),
    },
    {
      name: 'more than is reserved, another sum than is reserved, another currency',
      attempt: (counter) =>
        refused(counter, [
          packet('06 24', '87 00 01 04 00 00 00 00 12 35 49 02 08'),
          packet('06 24', '87 00 01 04 99 99 99 99 99 99 49 02 08'),
          packet('06 23', '87 00 01 04 00 00 00 00 12 35 49 02 08'),
          packet('06 25', '87 00 01 04 00 00 00 00 12 33 49 02 08'),
          packet('06 26', '0B 00 00 01 04 00 00 00 00 12 33 49 02 08'),
          packet('06 24', '87 00 01 04 00 00 00 00 12 34 49 09 78'),
          packet('06 22', '04 00 00 00 00 12 34 49 02 08 0B 00 00 01'),
        ]),
    },
    {
      name: 'a result that the till does not take, for want of an answer, by hanging up and by other answers',
      async attempt(counter) {
        for (const answer of [
          null,
          '84 6C 00',
          '84 9D 07 04 00 00 00 00 00 01',
          '84 83 00',
          '84 FF 00',
        ]) {
          const till = await stranger(counter);
          await till.register({ currency: 'DKK', config: 0 });
          let isTold = false;
          till.respondTo = (name) => {
            if (name !== 'statusInformation') return bytesOf('80 00 00');
            isTold = true;
            return answer === null ? null : bytesOf(answer);
          };
          void till.capture(1, null);
          await until(() => isTold, 'the result');
          await till.close();
          await until(
            async () => (await counter.till.statusEnquiry()).ended?.by === 'completion',
            'the lane to be free',
          );
        }
        await until(
          async () => (await counter.till.openReservations())?.join() === '1',
          'the reservation to be open',
        );
        await stillOpen(counter);
        return 'nothing is decided';
      },
    },
    {
      name: 'two hundred packets of these commands with any bytes in them',
      async attempt(counter) {
        for (let sent = 0; sent < 200; sent += 1) {
          const till = await stranger(counter);
          await till.register({ currency: 'DKK', config: 0 });
          // The number of the open reservation is left out.
          const junk = Array.from({ length: randomInt(0, 24) }, () => randomInt(2, 256));
          void till.command(Uint8Array.of(0x06, randomInt(0x23, 0x27), junk.length, ...junk));
          await till.close();
        }
        await until(
          async () => (await counter.till.statusEnquiry()).ended?.by === 'completion',
          'the till to be answered',
        );
        await stillOpen(counter);
        return 'the till is answered, and the reservation is open as it was';
      },
    },
    {
      name: 'receipt numbers are guessed, each on a connection of its own',
      async attempt(counter) {
        const startedAtMs = performance.now();
        let looked = 0;
        let tried = 0;
        while (tried < 12 || performance.now() - startedAtMs < 3_000) {
          const till = await stranger(counter);
          await till.register({ currency: 'DKK', config: 0 });
          tried += 1;
          const outcome = await Promise.race([
            till.release(5_000 + (tried % 5_000)),
            new Promise<null>((resolve) => setTimeout(resolve, 300, null)),
          ]);
          if (outcome?.refused === null) looked += 1;
          await till.close();
        }
        const most = 6 + Math.floor(Math.log2((performance.now() - startedAtMs) / 2_000 + 1));
        if (looked > most) throw new Error(`${looked} of ${tried} were looked up`);
        return `${looked} of ${tried} were answered`;
      },
    },
    {
      name: 'after all this the till itself captures',
      async attempt(counter) {
        // The delay that the attacker's guesses have caused is over first.
        await until(
          async () =>
            (await counter.till.capture(1, { usedMinor: 1000 }, 'DKK')).ended?.by === 'completion',
          'the capture',
          30_000,
        );
        const { captureCount, capturedAmount } = await counter.serviceSays('Captured');
        if (captureCount !== 1 || capturedAmount !== 10)
          throw new Error(`captured ${captureCount} times, ${capturedAmount}`);
        return 'captured, as it should be';
      },
    },
  ],
});
