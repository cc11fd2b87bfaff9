import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { Register } from '../../main/sandbox/till/register.ts';
import type { AnswerTo, InputOf } from '../../preload/procedures.ts';
import { Installation } from '../support/installation.ts';
import { ContractLine } from '../support/manager-books.ts';
import { until } from '../support/processes.ts';
import { selfSigned } from '../support/self-signed.ts';
import { attackArea } from './attack.ts';

interface Target {
  readonly at: Installation;
  readonly installer: ContractLine;
}

const password = '192837';
const registration = Buffer.from('060006123456860208', 'hex');
/** A generous limit for what takes no noticeable time on an idle machine. */
const withinMs = 30_000;

/** Opens the port at which setup listens for the till of a new lane. @returns the port */
async function listens({ installer }: Target, from: string[] = []): Promise<number> {
  const till: InputOf<'listenToTill'>['till'] = {
    transport: 'tcp',
    host: '127.0.0.1',
    port: 0,
    from,
  };
  await installer.value('listenToTill', { till });
  let port = 0;
  await until(async () => {
    const { what, till: open } = await installer.value('tillHeard', {});
    port = open.transport === 'tcp' ? open.port : 0;
    return what === 'nothing' && port !== 0;
  }, 'setup to listen');
  return port;
}

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  await once(socket, 'connect');
  return socket;
}

const closes = (socket: Socket, what: string): Promise<void> =>
  until(() => socket.closed, `the end of ${what}`, withinMs);

/** Whether a till that connects now is heard, whoever else was there. */
async function hearTill({ installer }: Target, port: number): Promise<void> {
  const till = await connected(port);
  till.write(registration);
  await until(
    async () => (await installer.value('tillHeard', {})).what === 'zvt',
    'the till to be heard',
    withinMs,
  );
  till.destroy();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Whether somebody at another address than 127.0.0.1 is answered, as other computers would be. */
async function isOpenToOthers(port: number): Promise<boolean> {
  const socket = connect(
    port,
    Object.values(networkInterfaces())
      .flatMap((at) => at ?? [])
      .find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.2',
  );
  const isOpen = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return isOpen;
}

const pointOfSale = {
  merchantPosId: 'shop-1',
  name: 'Kiosk',
  beaconTypes: ['QR'] as ('QR' | 'Bluetooth')[],
  beaconId: null,
};
const noStore = {
  name: null,
  street: null,
  zipCode: null,
  city: null,
  brandName: null,
  merchantBrandId: null,
  merchantLocationId: null,
};
const store = {
  merchantVat: 'DK90000028',
  store: { storeId: 'd3500000-0000-4000-8000-000000000001', ...noStore },
};
const laneFile = {
  tillbeacon: 'lane',
  version: 1,
  language: 'en',
  wallet: { kind: 'simulator' },
  store,
  pointOfSale,
};

/** A program of this computer that fills in a whole draft, as no person has. */
async function fillIn(
  line: ContractLine,
  till: InputOf<'saveDraft'> & { readonly step: 'till' },
): Promise<AnswerTo<'saveDraft'>> {
  await line.value('saveDraft', { step: 'language', value: 'en' });
  await line.value('saveDraft', { step: 'wallet', value: { kind: 'simulator' } });
  await line.value('saveDraft', { step: 'pointOfSale', value: pointOfSale });
  return line.ask('saveDraft', till);
}

/** What setup listens with before a till is in use, and what it stores about a till that is. */
export const tillSetupArea = attackArea<Target>('till-setup', {
  async open() {
    const at = await Installation.open();
    const installer = await ContractLine.ofAda({
      started: { screens: at.screens },
      firstManagerCode: '',
    });
    at.dropSettings({
      till: {
        protocol: 'zvt',
        transport: 'tcp',
        host: '127.0.0.1',
        port: 0,
        password,
        refunds: 100,
        from: ['127.0.0.0/8'],
      },
    });
    await until(
      async () => ((await installer.value('setupState', {})).inUse?.lanes[0]?.till ?? '') !== '',
      'the lane to be in use',
    );
    return { at, installer };
  },

  async close({ at, installer }) {
    installer.close();
    await at.close();
  },

  attacks: [
    {
      name: 'a web page posts a packet of a till to the port at which setup waits for the till',
      async attempt(target) {
        const port = await listens(target);
        const page = await connected(port);
        page.write(
          `POST / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 9\r\n\r\n${registration.toString('latin1')}`,
        );
        await until(
          async () => (await target.installer.value('tillHeard', {})).protocol === 'http',
          'the installer to be told of a web page',
          withinMs,
        );
        await closes(page, 'the connection of the page');
        await hearTill(target, port);
        return 'the page was named and hung up on, and the till was heard after it';
      },
    },
    {
      name: 'a hundred silent connections occupy the port at which setup waits for the till',
      async attempt(target) {
        const port = await listens(target);
        const silent: Socket[] = [];
        for (let count = 0; count < 100; count += 1) silent.push(await connected(port));
        await until(
          () => silent.filter(({ closed }) => !closed).length <= 16,
          'no more than sixteen to stay open',
          withinMs,
        );
        await hearTill(target, port);
        const open = silent.filter(({ closed }) => !closed).length;
        for (const socket of silent) socket.destroy();
        return `${open} of them were left, and the till was heard`;
      },
    },
    {
      name: 'a device registers while setup waits for the till, and asks for payments, refunds and the end of the day',
      async attempt(target) {
        const { at, installer } = target;
        await installer.value('beginSetup', { laneId: null });
        await installer.value('saveDraft', {
          step: 'pointOfSale',
          value: { ...pointOfSale, merchantPosId: 'shop-2' },
        });
        const port = await listens(target);
        const before = JSON.stringify(await at.state());
        const requests = async (): Promise<number> => {
          const all = (await (
            await fetch(`${at.credentials.baseUrl}/simulator/requests`)
          ).json()) as { operation: string | null }[];
          // The lane in use asks whether the service is there.
          return all.filter(
            ({ operation }) => operation !== null && !/^(find|list|lookUp)/.test(operation),
          ).length;
        };
        const requestCount = await requests();
        const device = await Register.overTcp({ host: '127.0.0.1', port, password });
        const registered = await device.register({ currency: 'DKK' });
        if (registered.ended?.by !== 'completion') throw new Error('the till was not answered');
        const outcomes = [
          await device.pay(1_234, 'DKK'),
          await device.reserve(1_234, 'DKK'),
          await device.capture(1, null, 'DKK'),
          await device.release(1),
          await device.reverse(1),
          await device.refund(1, 100, 'DKK'),
          await device.refund(null, 100, 'DKK'),
          await device.endOfDay(),
          await device.totals(),
          await device.repeatReceipt(),
        ];
        await device.close();
        const { answered } = await installer.value('tillHeard', {});
        await installer.value('discardSetup', {});
        if (outcomes.some(({ refused, ended }) => refused === null && ended?.by !== 'abort'))
          throw new Error('a command was taken');
        if (answered !== 'refused') throw new Error('the installer is not told');
        if (JSON.stringify(await at.state()) !== before || (await requests()) !== requestCount)
          throw new Error('the service was asked for something');
        return `registered, ${outcomes.length} commands refused, and nothing asked of the service`;
      },
    },
    {
      name: 'a device that is not among the addresses of the till speaks to setup as the till',
      async attempt(target) {
        const port = await listens(target, ['10.0.0.1']);
        const stranger = await connected(port);
        stranger.write(registration);
        await closes(stranger, 'the connection of the device');
        const { what, turnedAway } = await target.installer.value('tillHeard', {});
        if (what !== 'nothing' || turnedAway !== '127.0.0.1')
          throw new Error(`setup heard ${what}, and turned ${turnedAway} away`);
        return 'it was turned away, and the installer was told its address';
      },
    },
    {
      name: 'a signed-in screen reads the till’s password out of setup, an exported lane and the diagnostics',
      async attempt({ at, installer }) {
        const [{ till } = { till: null }] = at.settings().lanes;
        if (till?.protocol !== 'zvt' || till.password !== password)
          throw new Error('the password is not in the settings file');
        const file = async (offered: { fileId: string }): Promise<Buffer> =>
          Buffer.from(
            (await installer.value('filePart', { fileId: offered.fileId, part: 0 })).base64,
            'base64',
          );
        const bundle = Object.values(
          unzipSync(await file(await installer.value('diagnostics', {}))),
        ).map((part) => strFromU8(part));
        if (!bundle.join().includes('"refunds": 100'))
          throw new Error('the diagnostics say nothing of the till');
        const answers = [
          await installer.value('setupState', {}),
          await installer.value('beginSetup', { laneId: '1' }),
          await installer.value('saveDraft', {
            step: 'till',
            value: { transport: 'tcp', port: 0 },
          }),
          await installer.value('tillHeard', {}),
          await installer.ask('saveDraft', {
            step: 'till',
            value: { transport: 'tcp', port: 0, password: '12' },
          }),
          (await file(await installer.value('exportLane', { laneId: '1' }))).toString(),
          bundle,
        ];
        if (!answers.some((answer) => JSON.stringify(answer).includes('"hasPassword":true')))
          throw new Error('no answer says that there is a password');
        if (JSON.stringify(answers).includes(password))
          throw new Error('an answer has the password');
        await installer.value('discardSetup', {});
        return 'all of them say at most that there is one';
      },
    },
    {
      name: 'a mistake in the settings file shows the till’s password on the screen and in the log',
      async attempt({ at, installer }) {
        const wrong = '19283746';
        at.dropSettings({
          till: { protocol: 'zvt', transport: 'tcp', port: 0, password: wrong, refunds: 'all' },
        });
        let mistakes: readonly string[] = [];
        await until(
          async () => {
            mistakes = (await installer.value('setupState', {})).file.mistakes;
            return mistakes.length === 2;
          },
          'the mistakes to be told',
          10_000,
        );
        if (!mistakes.some((line) => line.includes('lanes.0.till.password: must be six digits')))
          throw new Error(mistakes.join('; '));
        if (mistakes.join().includes(wrong) || at.daemon.stderr.includes(wrong))
          throw new Error('the wrong password is shown');
        return mistakes.join('; ');
      },
    },
    {
      name: 'before anybody has set the counter up, a program of the computer has it listen for the whole network',
      async attempt({ at: { folder } }) {
        const at = await Installation.open();
        const port = await freePort();
        const program = await ContractLine.at(at.screens);
        try {
          const tls = { certificate: join(folder, 'api.pem'), key: join(folder, 'api.key') };
          writeFileSync(tls.certificate, selfSigned.cert);
          writeFileSync(tls.key, selfSigned.key);
          const refused = async (
            what: string,
            answer: { readonly ok: boolean; readonly code?: string },
          ): Promise<void> => {
            if (answer.ok || answer.code !== 'pinNeeded')
              throw new Error(`${what}: ${JSON.stringify(answer)}`);
            if (await isOpenToOthers(port))
              throw new Error(`${what}: other computers are answered`);
          };
          const attempts = async (as: string): Promise<void> => {
            for (const host of ['0.0.0.0', '::']) {
              await refused(
                `${as}: to hear a till at ${host}`,
                await program.ask('listenToTill', {
                  till: { transport: 'tcp', host, port, from: [] },
                }),
              );
              await refused(
                `${as}: to check the API at ${host}`,
                await program.ask('checkTillApi', { host, port, tls, origins: [] }),
              );
              await refused(
                `${as}: a till over TCP at ${host}`,
                await fillIn(program, { step: 'till', value: { transport: 'tcp', host, port } }),
              );
              await refused(
                `${as}: a till over HTTP at ${host}`,
                await fillIn(program, {
                  step: 'till',
                  value: { transport: 'http', host, port, tls },
                }),
              );
            }
          };
          await attempts('as anybody');
          // A draft that a file brings is not judged when it is read.
          for (const till of [
            { transport: 'tcp', host: '0.0.0.0', port },
            { transport: 'http', host: '0.0.0.0', port, tls },
          ]) {
            await program.value('importLane', { text: JSON.stringify({ ...laneFile, till }) });
            await refused(
              'to try an imported lane',
              await program.ask('startTestPayment', { with: 'till' }),
            );
            await refused('to finish with an imported lane', await program.ask('finishSetup', {}));
          }
          await program.value('discardSetup', {});
          await program.value('addManager', { name: 'Mallory', pin: '4711' });
          await attempts('as a manager that it made itself');
          if (await isOpenToOthers(port)) throw new Error('other computers are answered');
          const code = at.firstManagerCode;
          await program.value('enterCode', { code });
          await program.value('listenToTill', {
            till: { transport: 'tcp', host: '0.0.0.0', port, from: [] },
          });
          await until(
            () => isOpenToOthers(port),
            'the till to be heard once a person has typed the code',
          );
          return 'all of it is refused, and opened once the one-time code is typed';
        } finally {
          program.close();
          await at.close();
        }
      },
    },
    {
      name: 'a signed-in screen names a pipe or an endless device as certificate of the tills’ API',
      async attempt({ at, installer }) {
        const pipe = join(at.folder, 'pipe');
        spawnSync('mkfifo', [pipe]);
        const report: string[] = [];
        for (const path of [pipe, '/dev/zero', '/dev/tty', '/dev/fd/0']) {
          for (const tls of [
            { certificate: path, key: path },
            { certificate: join(at.folder, 'data', 'settings.json'), key: path },
          ]) {
            const answer = await installer.ask('checkTillApi', {
              host: '127.0.0.1',
              port: 0,
              tls,
              origins: [],
            });
            if (answer.ok) throw new Error(`${path} was taken`);
            report.push(answer.code);
          }
        }
        if (!(await fetch(`${at.screens}/healthz`, { signal: AbortSignal.timeout(5_000) })).ok)
          throw new Error('the daemon answers no more');
        return `refused: ${[...new Set(report)].join(', ')}`;
      },
    },
    {
      name: 'a device guesses the till’s password, and refunds with what it registers without',
      async attempt({ installer }) {
        const [lane] = (await installer.value('setupState', {})).inUse?.lanes ?? [];
        const register = await Register.overTcp({
          host: '127.0.0.1',
          port: Number(lane?.till.split(':').at(-1)),
          password: '000000',
        });
        const { refused } = await register.register({ currency: 'DKK' });
        const refund = await register.reverse(1);
        await register.close();
        if (refused === null || refund.refused === null)
          throw new Error('a wrong password was taken');
        if (JSON.stringify(await installer.value('health', {})).includes('tillPasswordWrong'))
          return 'both were refused, and the health page has a notice';
        throw new Error('the health page says nothing of it');
      },
    },
  ],
});
