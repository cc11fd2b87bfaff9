import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { type CommandOutcome, Register } from '../../main/sandbox/till/register.ts';
import { encodeBlock } from '../../main/tills/zvt/serial-framing.ts';
import { until } from '../support/processes.ts';
import { attackArea } from './attack.ts';
import { ScreensShop } from './screens-shop.ts';
import {
  pleaseWait,
  type Target,
  sled,
  ways,
  open,
  tillPort,
  close,
  nothingMoved,
  pageSends,
  programSends,
  bytesOf,
  paymentIsRefused,
  blind,
} from './till-intruder.ts';

/** 84 9C */

export const tillArea = attackArea<Target>('till', {
  open,
  close,
  attacks: [
    ...ways.map((how) => ({
      name: `a web page sends a reversal by ${how}`,
      attempt: (target: Target) => pageSends(target, how),
    })),
    {
      name: 'a web page tries WebTransport',
      async attempt(target) {
        const context = await target.browser.newContext();
        const tab = await context.newPage();
        await tab.goto(`${target.evilUrl}#webTransport:${target.relay.port}`);
        await tab.waitForTimeout(300);
        await context.close();
        await nothingMoved(target);
        return 'it is UDP, where nobody listens; no refund at the service';
      },
    },
    {
      name: 'a program writes an HTTP request with a reversal in it',
      attempt: blind('POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 61000\r\n\r\n'),
    },
    {
      name: 'a program writes an HTTP/2 preface and a reversal',
      attempt: blind('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    },
    { name: 'a program writes a TLS record and a reversal', attempt: blind('\x16\x03\x01\x02\0') },
    {
      name: 'a program begins a real TLS handshake',
      async attempt(target) {
        const socket = connectTls({
          host: '127.0.0.1',
          port: tillPort(target.counter),
          rejectUnauthorized: false,
        });
        socket.on('error', () => {});
        await new Promise((resolve) => socket.once('close', resolve));
        await nothingMoved(target);
        return 'hung up';
      },
    },
    {
      name: 'a device that begins like a till pads a reversal with blind answers',
      async attempt(target) {
        await programSends(target, (socket) => {
          socket.resume();
          socket.write(Buffer.from(`\x05\x01\x00${sled}`, 'latin1'));
        });
        await nothingMoved(target);
        return 'hung up after a few packets that no till sends; no refund at the service';
      },
    },
    {
      name: 'a connection that has not registered asks for a reversal',
      async attempt(target) {
        const till = await Register.overTcp({ host: '127.0.0.1', port: tillPort(target.counter) });
        const { ended } = await till.reverse(1);
        await till.close();
        await nothingMoved(target);
        if (ended?.by !== 'abort') throw new Error('it was not refused');
        return `refused with ${ended.code.toString(16)}`;
      },
    },
    {
      name: 'a connection that has not registered closes the day, and asks what the shop has taken',
      async attempt({ counter }) {
        const stranger = await Register.overTcp({ host: '127.0.0.1', port: tillPort(counter) });
        const answers = [
          await stranger.endOfDay(),
          await stranger.totals(),
          await stranger.repeatClosing(),
        ];
        await stranger.close();
        if (answers.some(({ ended }) => ended?.by !== 'abort'))
          throw new Error('it was not refused');
        if (
          answers.some(
            ({ statusInformations: [received] }) =>
              received === undefined || received.has(0x04) || received.has(0x60),
          )
        )
          throw new Error('it was told a sum');
        if ((await counter.till.repeatClosing()).ended?.by !== 'abort')
          throw new Error('the day is closed');
        const told = Buffer.from(
          (await counter.till.totals()).statusInformations[0]?.get(0x04) ?? [],
        ).toString('hex');
        if (told !== '000000001234') throw new Error(`the till is told ${told}`);
        return 'refused, and told no sum; the day is open, and the till is told its totals';
      },
    },
    {
      name: 'a stranger registers and logs off beside the till',
      async attempt(target) {
        const { counter } = target;
        const stranger = await Register.overTcp({ host: '127.0.0.1', port: tillPort(counter) });
        await stranger.register({ currency: 'DKK', config: 0xff });
        await stranger.logOff();
        const { ended } = await counter.till.statusEnquiry();
        const refused = await counter.till.reverse(9_999);
        await stranger.close();
        if (
          ended?.by !== 'completion' ||
          refused.ended?.by !== 'abort' ||
          refused.printed.length > 0
        )
          throw new Error('the till was disturbed');
        const words = Buffer.from(refused.statusInformations[0]?.get(0x3c) ?? []).toString(
          'latin1',
        );
        if (!words.startsWith('No paid sale'))
          throw new Error(`the till's registration is gone: ${words}`);
        return 'the till notices nothing';
      },
    },
    {
      name: 'forty silent connections try to lock the till out',
      async attempt({ counter }) {
        const port = tillPort(counter);
        const silent = Array.from({ length: 40 }, () =>
          connect({ host: '127.0.0.1', port }).on('error', () => {}),
        );
        await Promise.all(silent.map((socket) => once(socket, 'connect')));
        const till = await Register.overTcp({ host: '127.0.0.1', port });
        const { ended } = await till.statusEnquiry();
        await till.close();
        for (const socket of silent) socket.destroy();
        if (ended?.by !== 'completion') throw new Error('the till was not answered');
        return 'the till is answered';
      },
    },
    {
      name: 'two hundred receipt numbers are guessed, each on a connection of its own',
      async attempt(target) {
        const port = tillPort(target.counter);
        const startedAtMs = performance.now();
        let tried = 0;
        let looked = 0;
        while (tried < 7 || (tried < 200 && performance.now() - startedAtMs < 3_000)) {
          const till = await Register.overTcp({ host: '127.0.0.1', port });
          await till.register({ currency: 'DKK', config: 0 });
          tried += 1;
          // A till that is delayed is left behind.
          const outcome = await Promise.race([
            till.reverse(5_000 + tried),
            new Promise<null>((resolve) => setTimeout(resolve, 300, null)),
          ]);
          if (outcome?.refused === null) looked += 1;
          await till.close();
        }
        // Six at once, and then one after 2 s, after 4 s, after 8 s and so on. A busy machine may
        // see fewer of these.
        const most = 6 + Math.floor(Math.log2((performance.now() - startedAtMs) / 2_000 + 1));
        if (looked > most)
          throw new Error(
            `${looked} of ${tried} were looked up within ${(performance.now() - startedAtMs).toFixed(0)} ms`,
          );
        return `${looked} of ${tried} were answered within ${(performance.now() - startedAtMs).toFixed(0)} ms`;
      },
    },
    {
      name: 'a payment hides its currency behind a bitmap that nobody knows',
      attempt: (target) =>
        paymentIsRefused(target, '06 01 0E 04 00 00 00 00 12 50 19 40 5A 99 49 09 78'),
    },
    {
      name: 'a payment brings a password behind its amount',
      attempt: (target) => paymentIsRefused(target, '06 01 0A 04 00 00 00 00 12 50 01 02 03'),
    },
    {
      name: 'a payment brings a password before its amount',
      attempt: (target) =>
        paymentIsRefused(target, '06 01 0D 12 34 56 04 00 00 00 00 12 50 49 02 08'),
    },
    {
      name: 'a device sends a reversal in the blocks of a serial line',
      async attempt(target) {
        const { answered } = await programSends(target, (socket) =>
          socket.write(encodeBlock(bytesOf('06 30 06 12 34 56 87 00 01'))),
        );
        await nothingMoved(target);
        if (answered > 0) throw new Error(`it was answered with ${answered} bytes`);
        return 'hung up unanswered; no refund at the service';
      },
    },
    {
      name: 'a device uses the registration that the till has completed on another connection',
      async attempt(target) {
        const first = await Register.overTcp({ host: '127.0.0.1', port: tillPort(target.counter) });
        await first.register({ currency: 'DKK', config: 0 });
        await first.close();
        const second = await Register.overTcp({
          host: '127.0.0.1',
          port: tillPort(target.counter),
        });
        const { ended } = await second.reverse(1);
        await second.close();
        await nothingMoved(target);
        if (ended?.by !== 'abort') throw new Error('it was not refused');
        return `refused with ${ended.code.toString(16)}`;
      },
    },
    {
      name: 'a program on the till’s own computer guesses receipt numbers, so that the till cannot refund',
      async attempt({ counter }) {
        const till = await counter.connectTill();
        await till.register({ currency: 'DKK', config: 0 });
        const payment = till.pay(500, 'DKK');
        await counter.customerPays();
        const receipt = Number(
          Buffer.from((await payment).statusInformations[0]?.get(0x87) ?? []).toString('hex'),
        );
        const guessing = guesses(tillPort(counter), (guesser, guess) =>
          guesser.reverse(6_000 + guess),
        );
        await until(() => guessing.tried >= 30, 'thirty guesses');
        const refunds: string[] = [];
        for (let part = 0; part < 5; part += 1)
          refunds.push((await till.refund(receipt, 50 + part, 'DKK')).ended?.by ?? 'refused');
        await guessing.stop();
        await till.close();
        if (refunds.some((ended) => ended !== 'completion'))
          throw new Error(`the till's refunds were answered ${refunds.join(', ')}`);
        return `five refunds were made beside ${guessing.tried} guesses`;
      },
    },
    {
      name: 'a program on the till’s own computer guesses the password, so that the till cannot come back',
      async attempt() {
        const shop = await ScreensShop.open({ password: '111222' });
        try {
          const guessing = guesses(Number(shop.tills[0]?.split(':')[2]), (guesser) =>
            guesser.reverse(1),
          );
          await until(() => guessing.tried >= 30, 'thirty guesses');
          const answers: string[] = [];
          for (let time = 0; time < 20; time += 1) {
            const till = await shop.till(0, '111222');
            answers.push(
              (await till.register({ currency: 'DKK', config: 0 })).ended?.by ?? 'refused',
            );
            // There is no receipt 1. A wrong password would be refused as that.
            if (time === 19)
              answers.push(
                (await till.reverse(1)).ended?.by === 'abort' ? 'completion' : 'no refund',
              );
            await till.close();
          }
          await guessing.stop();
          if (answers.some((ended) => ended !== 'completion'))
            throw new Error(`the till was answered ${answers.join(', ')}`);
          if (guessing.looked > 6)
            throw new Error(`${guessing.looked} of ${guessing.tried} guesses were compared`);
          return `it came back twenty times, and ${guessing.looked} of ${guessing.tried} guesses were compared`;
        } finally {
          await shop.close();
        }
      },
    },
    {
      name: 'after all this the till itself refunds',
      async attempt({ counter }) {
        // The delay that the attacker has caused is over first.
        await until(
          async () => (await counter.till.reverse(1)).ended?.by === 'completion',
          'the refund',
          20_000,
        );
        return 'refunded, as it should be';
      },
    },
  ],
});

/**
 * Guesses until it is stopped, each time on a connection of its own. A terminal that does not
 * answer is left behind.
 */
function guesses(
  port: number,
  guess: (guesser: Register, index: number) => Promise<CommandOutcome>,
) {
  const guessing = { tried: 0, looked: 0, stop: async (): Promise<void> => {} };
  let isOver = false;
  const run = async (): Promise<void> => {
    while (!isOver) {
      const guesser = await Register.overTcp({ host: '127.0.0.1', port, password: '000000' });
      await Promise.race([guesser.register({ currency: 'DKK', config: 0 }), sleep(200)]);
      guessing.tried += 1;
      const outcome = await Promise.race([
        guess(guesser, guessing.tried).catch(() => null),
        sleep(200, null),
      ]);
      if (outcome !== null && outcome.refused !== pleaseWait) guessing.looked += 1;
      await guesser.close();
    }
  };
  const running = run().catch(() => {});
  guessing.stop = async () => {
    isOver = true;
    await running;
  };
  return guessing;
}
