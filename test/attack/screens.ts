import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callMessage, watchMessage } from '../support/contract-client.ts';
import { Product, until } from '../support/processes.ts';
import { attackArea } from './attack.ts';
import { scanIntoCashier, scanIntoSignIn } from './screens-scanner.ts';
import { Intruder, ScreensShop } from './screens-shop.ts';
import { page, upgrade } from './screens-requests.ts';

interface Target {
  /** A counter that is set up and has no manager yet. */
  readonly fresh: ScreensShop;
  readonly managed: ScreensShop;
  readonly managerId: string;
}

const pin = '471108';
/** What the browser of the shop's counter keeps. */
const screenToken = 'x'.repeat(32);
const eve = { name: 'Eve', pin: '903817' };

/**
 * Attacks by everybody who can reach the screens' ports: web pages, other users' programs, devices
 * in the network.
 */
export const screensArea = attackArea<Target>('screens', {
  async open() {
    const [fresh, managed] = await Promise.all([ScreensShop.open(), ScreensShop.open()]);
    const ada = await Intruder.at(managed.screens);
    await ada.ask('enterCode', { code: managed.code });
    const added = await ada.ask('addManager', { name: 'Ada', pin, screenToken });
    if (!added.ok) throw new Error(`the shop has no manager: ${added.message}`);
    ada.socket.terminate();
    return { fresh, managed, managerId: added.value.managerId };
  },
  close: async ({ fresh, managed }) => void (await Promise.all([fresh.close(), managed.close()])),
  attacks: [
    {
      name: 'a web page opens the screens’ WebSocket from its own origin',
      attempt: async ({ managed }) => {
        const answers = await Promise.all(
          ['http://evil.example', 'null', 'http://127.0.0.1:1'].map((origin) =>
            upgrade(managed.screens, { origin }),
          ),
        );
        if (answers.some((answer) => answer !== 403))
          throw new Error(`it was let in: ${answers.join(', ')}`);
        return 'refused with 403 each time';
      },
    },
    {
      name: 'a name in the DNS that points at this machine reads the pages and opens the WebSocket',
      attempt: async ({ managed }) => {
        const host = `evil.example:${new URL(managed.screens).port}`;
        const answers = [
          await page(`${managed.screens}/manager/index.html`, host),
          await upgrade(managed.screens, { host, origin: `http://${host}` }),
        ];
        if (answers.some((answer) => answer !== 403))
          throw new Error(`it was answered: ${answers.join(', ')}`);
        return 'refused with 403';
      },
    },
    {
      name: 'somebody on the computer becomes the first manager of a counter that is set up',
      attempt: async ({ fresh }) => {
        const intruder = await Intruder.at(fresh.screens);
        const without = await intruder.ask('addManager', eve);
        const guesses: string[] = [];
        for (let guess = 0; guess < 12; guess += 1) {
          const one = await Intruder.at(fresh.screens);
          const answer = await one.ask('enterCode', { code: `AAAA-${String(2_222 + guess)}` });
          guesses.push(answer.ok ? 'let in' : answer.code);
        }
        const others = [
          await intruder.ask('exportLane', { laneId: '1' }),
          await intruder.ask('removeLane', { laneId: '2' }),
          await intruder.ask('setupState', {}),
        ];
        const { managers } = (
          (await intruder.ask('session', {})) as { value: { managers: object[] } }
        ).value;
        const codes = [without, ...others].map((answer) => (answer.ok ? 'answered' : answer.code));
        if (codes.some((code) => code !== 'pinNeeded') || managers.length > 0)
          throw new Error(`it was let in: ${codes.join(', ')}`);
        const looked = guesses.filter((code) => code === 'wrongCode').length;
        if (looked !== 4 || guesses.filter((code) => code === 'locked').length !== 8)
          throw new Error(`guesses were answered ${guesses.join(', ')}`);
        return 'refused without the code from its file; of twelve guesses five were looked at, then it was locked';
      },
    },
    {
      name: 'whoever has the managers’ file tries all PINs elsewhere',
      attempt: async ({ managed }) => {
        const stored = JSON.parse(readFileSync(join(managed.data, 'managers.json'), 'utf8')) as {
          managers: { pin: Record<string, number> }[];
        };
        const { cost = 0, blockSize = 0, parallelization = 0 } = stored.managers[0]?.pin ?? {};
        const megabytes = (128 * cost * blockSize) / 1024 ** 2;
        if (megabytes < 32 || cost * blockSize * parallelization < 2 ** 18)
          throw new Error(`each takes ${megabytes} MB, ${parallelization} times`);
        return `each PIN takes ${megabytes} MB, ${parallelization} times over`;
      },
    },
    {
      name: 'a screen asks and asks, and never reads the answers',
      attempt: async ({ managed, managerId }) => {
        const greedy = await Promise.all(
          Array.from({ length: 4 }, () => Intruder.at(managed.screens)),
        );
        // Long answers: a manager's own screen that hangs does not read them either.
        for (const one of greedy) await one.ask('signIn', { managerId, pin });
        const before = managed.megabytes();
        for (const { socket } of greedy) socket.pause();
        const question = JSON.stringify(callMessage(1, 'setupState', {}));
        for (const { socket } of greedy)
          for (let count = 0; count < 60_000; count += 1) socket.send(question);
        let most = before;
        const mayGrowBy = 45;
        for (let time = 0; time < 30 && most - before < mayGrowBy; time += 1) {
          await sleep(100);
          most = Math.max(most, managed.megabytes());
        }
        const honest = await Intruder.at(managed.screens);
        const answer = await honest.ask('session', {});
        for (const { socket } of [honest, ...greedy]) socket.terminate();
        if (!answer.ok) throw new Error(`others are answered ${answer.code}`);
        if (most - before > mayGrowBy)
          throw new Error(`the daemon grew from ${before.toFixed(0)} to ${most.toFixed(0)} MB`);
        return `240,000 questions: the daemon grew by ${(most - before).toFixed(0)} MB, and answers others`;
      },
    },
    {
      name: 'somebody at another screen, or after the manager at the same one, takes a backup, and its passphrase is kept somewhere',
      attempt: async ({ managed, managerId }) => {
        const passphrase = 'correct horse battery';
        const [ada, intruder] = [
          await Intruder.at(managed.screens),
          await Intruder.at(managed.screens),
        ];
        await ada.ask('signIn', { managerId, pin });
        const backup = await ada.ask('makeBackup', { passphrase });
        if (!backup.ok) throw new Error(`the manager got none: ${backup.code}`);
        const { fileId } = backup.value.file;
        await ada.ask('signOut', {});
        const answers = [
          await intruder.ask('makeBackup', { passphrase }),
          await intruder.ask('filePart', { fileId, part: 0 }),
          await intruder.ask('backupPart', { part: 0, base64: '', last: true }),
          await intruder.ask('restoreBackup', { passphrase }),
          await ada.ask('filePart', { fileId, part: 0 }),
          await ada.ask('makeBackup', { passphrase }),
        ].map((answer) => (answer.ok ? 'answered' : answer.code));
        if (answers.join() !== 'pinNeeded,notFound,pinNeeded,pinNeeded,notFound,pinNeeded')
          throw new Error(`they were answered ${answers.join(', ')}`);
        const files = readdirSync(managed.data).filter((name) =>
          statSync(join(managed.data, name)).isFile(),
        );
        const open = files.filter(
          (name) => (statSync(join(managed.data, name)).mode & 0o077) !== 0,
        );
        if (open.length > 0) throw new Error(`other users can read ${open.join(', ')}`);
        const leaks = files.filter((name) =>
          readFileSync(join(managed.data, name)).includes(passphrase),
        );
        if (leaks.length > 0 || managed.daemon.stderr.includes(passphrase))
          throw new Error(`the passphrase is in ${leaks.join(', ') || 'the log'}`);
        for (const { socket } of [ada, intruder]) socket.terminate();
        return 'refused each time; the file is of one user alone, and nothing kept has the passphrase';
      },
    },
    {
      name: 'a program takes the sign-in that a manager passes on to another page',
      attempt: async ({ managed, managerId }) => {
        const newTicket = (): string => randomBytes(32).toString('hex');
        const signedIn = async (): Promise<Intruder> => {
          const ada = await Intruder.at(managed.screens);
          await ada.ask('signIn', { managerId, pin, screenToken });
          return ada;
        };
        const ticketOf = async (ada: Intruder): Promise<string> => {
          const ticket = newTicket();
          const answer = await ada.ask('passOn', { ticket });
          if (!answer.ok)
            throw new Error(`the manager's sign-in was not passed on: ${answer.code}`);
          return ticket;
        };
        const intruder = await Intruder.at(managed.screens);
        const [ada, next, left] = [
          await signedIn(),
          await Intruder.at(managed.screens),
          await signedIn(),
        ];
        const used = await ticketOf(ada);
        const takeOver = await next.ask('takeOver', { ticket: used });
        const ended = await ticketOf(left);
        await left.ask('signOut', {});
        const own = newTicket();
        const answers = [
          await intruder.ask('passOn', { ticket: own }),
          await intruder.ask('takeOver', { ticket: own }),
          await intruder.ask('takeOver', { ticket: used }),
          await intruder.ask('takeOver', { ticket: ended }),
          await intruder.ask('takeOver', { ticket: newTicket() }),
          await intruder.ask('closings', { before: null }),
          await ada.ask('closings', { before: null }),
        ].map((answer) => (answer.ok ? 'answered' : answer.code));
        if (
          !takeOver.ok ||
          answers.join() !== 'pinNeeded,notFound,notFound,notFound,notFound,pinNeeded,pinNeeded'
        )
          throw new Error(`they were answered ${answers.join(', ')}`);
        if ([used, ended].some((ticket) => managed.daemon.stderr.includes(ticket)))
          throw new Error('the log has a ticket');
        for (const { socket } of [ada, next, left, intruder]) socket.terminate();
        return 'a ticket is good for one page and ends with the sign-out; a used, an ended, a guessed and an own one open nothing, and the page before is signed out';
      },
    },
    {
      name: 'a manager’s PIN is guessed over many connections at once',
      attempt: async ({ managed, managerId }) => {
        const answers = await Promise.all(
          Array.from({ length: 30 }, async (_, guess) =>
            (await Intruder.at(managed.screens)).ask('signIn', {
              managerId,
              pin: String(1_000 + guess * 7),
            }),
          ),
        );
        const codes = answers.map((answer) => (answer.ok ? 'let in' : answer.code));
        const count = (code: string): number => codes.filter((one) => one === code).length;
        if (count('wrongPin') !== 4 || count('locked') !== 26)
          throw new Error(`they were answered ${codes.join(', ')}`);
        await managed.daemon.logs('a wrong PIN', 'too many wrong PINs: locked');
        if (managed.daemon.stderr.includes(pin)) throw new Error('the log has the PIN');
        return 'five of thirty were looked at, each in the log, then it was locked';
      },
    },
    {
      name: 'a program locks the manager out with wrong PINs, for good',
      attempt: async ({ managed, managerId }) => {
        const signIn = async (more: object, typed = pin) =>
          (await Intruder.at(managed.screens)).ask('signIn', { managerId, pin: typed, ...more });
        for (let guess = 0; guess < 10; guess += 1)
          await signIn({ screenToken: `${guess}`.repeat(32) }, '0000');
        if ((await signIn({})).ok) throw new Error('a screen that nobody knows is not locked');
        const session = await signIn({ screenToken });
        if (!session.ok)
          throw new Error(`at her own screen the manager is answered ${session.code}`);
        const unlock = new Product('managers', ['unlock', '--data', managed.data]);
        await unlock.exited;
        const elsewhere = await signIn({});
        if (!elsewhere.ok)
          throw new Error(
            `after managers unlock she is answered ${elsewhere.code} elsewhere: ${unlock.stderr}`,
          );
        return 'she signs in at her own screen, and everywhere after tillbeacon managers unlock';
      },
    },
    {
      name: 'a program asks as the cashier’s screen who the managers are',
      attempt: async ({ managed }) => {
        const cashier = await Intruder.at(managed.screens);
        cashier.say(watchMessage({ screen: 'cashier', laneId: null }));
        const answer = await cashier.ask('session', {});
        if (!answer.ok || answer.value.managers.length > 0)
          throw new Error(`it was told ${JSON.stringify(answer)}`);
        return 'it is told of none';
      },
    },
    {
      name: 'a program guesses the first manager’s code, and so locks the installer out',
      attempt: async ({ fresh }) => {
        for (let guess = 0; guess < 12; guess += 1)
          await (await Intruder.at(fresh.screens)).ask('enterCode', {
            code: `AAAA-AAAA-${2_222 + guess}`,
          });
        const answer = await (await Intruder.at(fresh.screens)).ask('enterCode', {
          code: fresh.code,
        });
        if (!answer.ok) throw new Error(`the right code is answered ${answer.code}`);
        return 'the right code is taken';
      },
    },
    {
      name: 'a program floods the log, so that the diagnostics hold nothing else',
      attempt: async ({ managed }) => {
        const before = managed.logLines();
        const babbler = await Intruder.at(managed.screens);
        for (let count = 0; count < 5_000; count += 1)
          babbler.say(callMessage(count, `no procedure ${count}`.slice(0, 40), {}));
        await until(() => babbler.received.length >= 5_000, 'the answers');
        for (let count = 0; count < 20_000; count += 1) babbler.say('nonsense');
        await babbler.closed();
        for (let count = 0; count < 150; count += 1) {
          const one = await Intruder.at(managed.screens);
          one.say('nonsense');
          await one.closed();
        }
        await Promise.all(
          Array.from({ length: 100 }, () =>
            upgrade(managed.screens, { origin: 'http://evil.example' }),
          ),
        );
        await sleep(100);
        const lines = managed.logLines() - before;
        if (lines === 0) throw new Error('nothing of it is in the log');
        if (lines > 100) throw new Error(`${lines} lines`);
        return `25,000 messages and 250 connections: ${lines} lines`;
      },
    },
    {
      name: 'somebody on the computer opens as many connections as there can be',
      attempt: async ({ managed }) => {
        const { port } = new URL(managed.screens);
        const sockets = Array.from({ length: 1_000 }, () =>
          connect(Number(port), '127.0.0.1').on('error', () => {}),
        );
        await sleep(500);
        const held = sockets.filter((socket) => !socket.destroyed && !socket.connecting).length;
        const till = await managed.till(0);
        await till.register({ currency: 'DKK' });
        const paying = till.pay(1_234, 'DKK');
        await sleep(300);
        await till.abort();
        const { ended } = await paying;
        await till.close();
        for (const socket of sockets) socket.destroy();
        if (ended === null) throw new Error('the till was not answered');
        return `${held} of 1,000 were kept for the moment, and the till is served all the same`;
      },
    },
    {
      name: 'a program holds 420 silent connections at the screens, so that no page is loaded and a good update is taken back',
      attempt: async ({ managed }) => {
        const { port, host } = new URL(managed.screens);
        const silent = Array.from({ length: 420 }, () =>
          connect(Number(port), '127.0.0.1').on('error', () => {}),
        );
        await Promise.all(
          silent.map(
            (socket) =>
              new Promise((resolve) => socket.once('connect', resolve).once('close', resolve)),
          ),
        );
        const startedAt = performance.now();
        const statuses = [
          await page(`${managed.screens}/readyz`, host),
          await page(`${managed.screens}/cashier/`, host),
        ];
        const screen = await Intruder.at(managed.screens);
        screen.say(watchMessage({ screen: 'cashier', laneId: '1' }));
        await until(() => screen.received.length > 0, 'the view of the cashier’s screen');
        const ms = Math.round(performance.now() - startedAt);
        screen.socket.terminate();
        for (const socket of silent) socket.destroy();
        if (statuses.some((status) => status !== 200))
          throw new Error(`answered with ${statuses.join(', ')}`);
        if (ms > 3_000) throw new Error(`they waited ${ms} ms`);
        return `status, page and view come within ${ms} ms: the oldest silent connections are closed`;
      },
    },
    {
      name: 'a program opens 250 WebSockets at the screens and says nothing, so that the cashier’s screen has none',
      attempt: async ({ managed }) => {
        const silent = await Promise.allSettled(
          Array.from({ length: 250 }, () => Intruder.at(managed.screens)),
        );
        const screen = await Intruder.at(managed.screens);
        screen.say(watchMessage({ screen: 'cashier', laneId: '1' }));
        await until(() => screen.received.length > 0, 'the view of the cashier’s screen');
        screen.socket.terminate();
        for (const one of silent) if (one.status === 'fulfilled') one.value.socket.terminate();
        return 'the oldest that have said nothing are closed, and the screen has its view';
      },
    },
    {
      name: 'a device in the network reads other lanes over the display’s connection',
      attempt: async ({ managed }) => {
        const display = await Intruder.at(managed.displays);
        display.say(watchMessage({ screen: 'customer', laneId: '1' }));
        await until(() => display.received.length > 0, 'the first view');
        const till = await managed.till(1);
        await till.register({ currency: 'DKK' });
        const paying = till.pay(98_765, 'DKK');
        const cashier = await Intruder.at(managed.screens);
        cashier.say(watchMessage({ screen: 'cashier', laneId: '2' }));
        await until(
          () => JSON.stringify(cashier.received).includes('98765'),
          'the other lane’s payment',
        );
        const received = JSON.stringify(display.received);
        display.say(watchMessage({ screen: 'customer', laneId: '2' }));
        const closed = await display.closed();
        await till.abort();
        await paying;
        await till.close();
        const later = JSON.stringify(display.received);
        if (/98765|Check-out 2/.test(later) || later !== received)
          throw new Error(`it saw ${later}`);
        if (closed !== 1008) throw new Error(`it was closed with ${closed}`);
        return 'it saw its own lane, and was shown out when it asked for the other';
      },
    },
    {
      name: 'a device in the network commands, asks, and reads the other screens',
      attempt: async ({ managed, managerId }) => {
        const messages = [
          watchMessage({ screen: 'cashier', laneId: '1' }),
          callMessage(1, 'session', {}),
          callMessage(1, 'signIn', { managerId, pin }),
          callMessage(1, 'cancelSale', { laneId: '1', saleId: managerId }),
        ];
        for (const message of messages) {
          const display = await Intruder.at(managed.displays);
          display.say(message);
          const closed = await display.closed();
          if (closed !== 1008 || display.received.length > 0)
            throw new Error(
              `${JSON.stringify(message)}: ${closed}, ${JSON.stringify(display.received)}`,
            );
        }
        const { host } = new URL(managed.displays);
        const pages = await Promise.all(
          ['manager/index.html', 'setup/index.html', 'cashier/index.html'].map((path) =>
            page(`${managed.displays}/${path}`, host),
          ),
        );
        if (pages.some((status) => status !== 404)) throw new Error(`pages: ${pages.join(', ')}`);
        return 'shown out each time, unheard; other screens are not there';
      },
    },
    {
      name: 'a device in the network takes all connections of the displays',
      attempt: async ({ managed }) => {
        const opened = await Promise.allSettled(
          Array.from({ length: 60 }, async () => {
            const one = await Intruder.at(managed.displays);
            one.say(watchMessage({ screen: 'customer', laneId: '1' }));
            await until(
              () => one.received.length > 0 || one.socket.readyState !== one.socket.OPEN,
              'a view',
            );
            return one;
          }),
        );
        const alive = opened.filter(
          (one) =>
            one.status === 'fulfilled' && one.value.socket.readyState === one.value.socket.OPEN,
        );
        const other = await Intruder.at(managed.displays, { localAddress: '127.0.0.2' });
        other.say(watchMessage({ screen: 'customer', laneId: '1' }));
        await until(() => other.received.length > 0, 'the other device’s view');
        for (const one of opened) if (one.status === 'fulfilled') one.value.socket.terminate();
        other.socket.terminate();
        if (alive.length > 16) throw new Error(`${alive.length} of 60 were kept`);
        return `${alive.length} of 60 were kept; another device still gets its view`;
      },
    },
    {
      name: 'a customer shows a code that types Enter, Tab, Escape or digits where the cashier’s focus is',
      attempt: ({ managed }) => scanIntoCashier(managed.screens),
    },
    {
      name: 'a customer shows codes of digits while the manager’s PIN is asked for',
      attempt: ({ managed }) => scanIntoSignIn(managed.screens),
    },
    {
      name: 'a program takes the screens’ port before the daemon starts, to be given the PINs',
      attempt: async ({ fresh }) => {
        const squatter = createServer().listen(0, '127.0.0.1');
        await new Promise((resolve) => squatter.once('listening', resolve));
        const { port } = squatter.address() as { port: number };
        const data = join(fresh.data, 'another');
        mkdirSync(data);
        writeFileSync(join(data, 'screens-port.json'), JSON.stringify({ port }));
        const daemon = new Product('daemon', ['--data', data]);
        const { code } = await daemon.exited;
        squatter.close();
        if (code !== 1 || !daemon.stderr.includes(`process ${process.pid}`))
          throw new Error(`it ended with ${code}: ${daemon.stderr}`);
        return 'the start ends, and names the program';
      },
    },
  ],
});
