import type { Handlers } from '../../../main/counter/server/router.ts';
import type { Session } from '../../../main/counter/server/session.ts';
import { Refusal } from '../../../preload/procedures/procedure.ts';
import type { TillView } from '../../../preload/procedures/setup-fields.ts';
import { type Heard } from '../../../preload/procedures/setup-till.ts';
import { type Scene } from '../stage.ts';
import { refuses } from './manager-shared.ts';
import type { State } from './state.ts';
import {
  till,
  tcpLine,
  tcp,
  program,
  guarded,
  until,
  ports,
  hears,
  tillApi,
  token,
  path,
  next,
} from './setup-shared.ts';

const atTill = (about: TillView, heard: Partial<Heard> = {}): Scene =>
  path(
    { ...until('till'), till: about },
    { listenToTill: () => hears(heard), tillHeard: () => hears(heard) },
  );
const heardAt = (name: string, about: Partial<Heard>): State => ({
  name: `till-${name}`,
  at: '',
  likeAnother: true,
  scene: atTill(till, about),
});
const toSecurity: NonNullable<State['reach']> = async (page) => {
  const security = page.getByTestId('security');
  await security.evaluate((details) => details.setAttribute('open', ''));
  await security.evaluate((details) => details.scrollIntoView({ block: 'end' }));
};
const toHttp: NonNullable<State['reach']> = async (page) => {
  await page.getByTestId('transport-http').check();
  await page.getByTestId('api-ready').waitFor();
};
const makeToken: NonNullable<State['reach']> = async (page) => {
  await toHttp(page);
  await page.getByTestId('make-token').click();
  await page.getByTestId('new-token').waitFor();
  await page.getByTestId('token-part').scrollIntoViewIfNeeded();
};
const madeNow = (): Handlers => {
  const made = new WeakSet<Session>();
  return {
    tillApi: (_asked, by) => ({
      ...tillApi,
      token: made.has(by) ? { name: 'Check-out 1', scopes: ['pay', 'read'] } : null,
    }),
    makeDraftToken(_asked, by) {
      made.add(by);
      return { token };
    },
  };
};

const concert = hears({
  what: 'otherProtocol',
  protocol: 'concert',
  bytes: 3,
  firstBytes: '05 04 05',
});
/** After the till was heard, and above what is said of it. */
const listedLate: Handlers['serialPorts'] = () =>
  new Promise((resolve) => setTimeout(resolve, 250, { ports }));

/** Before there are settings: what other computers would reach needs the one-time code. */
function asksForCode(): Scene {
  const asking = new WeakSet<Session>();
  return path(
    { ...until('till'), till: tcp },
    {
      listenToTill(_asked, by) {
        asking.add(by);
        throw new Refusal('pinNeeded', '');
      },
      session: (_asked, by) => ({
        managers: [],
        signedIn: null,
        signsOutAfterMs: 300_000,
        codeFile: asking.has(by) ? '/var/lib/tillbeacon/first-manager-code.txt' : null,
      }),
    },
  );
}

/** How the till is connected, and what it says. */
export const tillStates: readonly State[] = [
  { name: 'till', at: '', scene: path(until('till')), main: true },
  {
    name: 'till-noPorts',
    at: '',
    scene: path(until('till'), { serialPorts: () => ({ ports: [] }) }),
  },
  {
    name: 'till-missing',
    at: '',
    scene: path(until('till'), { serialPorts: () => ({ ports: ports.slice(1) }) }),
    reach: next,
  },
  {
    name: 'till-unheard',
    at: '',
    scene: path({ ...until('till'), till, unheard: true }),
    reach: async (page) => {
      await page.locator('[data-testid="heard"]').waitFor();
      await next(page);
      await page.getByTestId('unheard').waitFor();
    },
  },
  { name: 'till-tcp', at: '', scene: atTill(tcp, { till: tcpLine }) },
  {
    name: 'till-network-code',
    at: '',
    scene: asksForCode(),
    reach: (page) => page.getByTestId('code').waitFor(),
  },
  {
    name: 'till-turnedAway',
    at: '',
    scene: atTill(guarded, { till: tcpLine, turnedAway: '192.168.1.77' }),
  },
  { name: 'till-security', at: '', scene: atTill(till), reach: toSecurity },
  {
    name: 'till-network',
    at: '',
    scene: atTill(tcp, { till: tcpLine }),
    main: true,
    reach: toSecurity,
  },
  {
    name: 'till-guarded',
    at: '',
    scene: atTill(guarded, {
      till: tcpLine,
      what: 'zvt',
      bytes: 9,
      packets: 1,
      firstBytes: '06 00 06 ** ** ** DE 09 78',
    }),
    reach: toSecurity,
  },
  {
    name: 'till-security-broken',
    at: '',
    scene: atTill(tcp, { till: tcpLine }),
    reach: async (page) => {
      await page.getByTestId('refunds').selectOption('upTo');
      await page.getByTestId('tillPassword').fill('1234');
      await page.getByTestId('from').fill('192.168.1.40, 192.168.1.400');
      await next(page);
      await page.locator('#from-problem span').waitFor();
      await toSecurity(page);
    },
  },
  heardAt('opening', { what: 'opening' }),
  heardAt('cannotOpen', {
    what: 'opening',
    detail: 'EACCES: permission denied, open /dev/ttyUSB0',
    problem: 'failed',
  }),
  heardAt('noPort', {
    what: 'opening',
    detail: 'usb:0403:6001:A50285BI is not there: is the cable plugged in?',
    problem: 'absent',
  }),
  heardAt('portBusy', {
    what: 'opening',
    detail: '/dev/ttyUSB0 is used by minicom (process 4711)',
    problem: 'busy',
  }),
  heardAt('portClaimed', {
    what: 'opening',
    detail: '/dev/ttyUSB0 is used by ModemManager (process 612)',
    problem: 'busy',
    claimer: 'modemManager',
  }),
  heardAt('nothing', {}),
  heardAt('unclear', { what: 'unclear', bytes: 2, firstBytes: '06 00' }),
  {
    ...heardAt('zvt', {
      what: 'zvt',
      bytes: 11,
      packets: 1,
      firstBytes: '06 00 06 00 00 00 DE 09 78',
      meaning: 'Registration 06 00',
      answered: 'registered',
    }),
    main: true,
  },
  heardAt('zvtDamaged', { what: 'zvtDamaged', bytes: 311, firstBytes: '06 00 06 00' }),
  heardAt('wrongBaudRate', { what: 'wrongBaudRate', bytes: 48, firstBytes: 'FE FE 00 80' }),
  {
    ...heardAt('concertFound', {
      what: 'concert',
      bytes: 69,
      firstBytes: '43 5A 30 30 34 30 33 30 30',
      till: { ...tcpLine, host: '127.0.0.1', protocol: 'concert', port: 8_888 },
    }),
    scene: atTill(
      { ...tcp, host: '127.0.0.1', protocol: 'concert', port: 8_888 },
      { what: 'concert', till: { ...tcpLine, protocol: 'concert', port: 8_888 } },
    ),
  },
  {
    ...heardAt('concertSevenBits', {}),
    scene: atTill(
      { ...till, protocol: 'concert', stopBits: 1 },
      {
        what: 'concert',
        bytes: 41,
        firstBytes: '05 82 30 B1 30 30 30 30 B1',
        till: { ...till, protocol: 'concert', stopBits: 1, dataBits: 7, parity: 'even' },
      },
    ),
  },
  {
    name: 'till-suggested',
    at: '',
    scene: atTill(till, {
      what: 'zvt',
      profile: 'noRegistration',
      bytes: 12,
      packets: 1,
      firstBytes: '06 01 07 04 00 00 00 00 01 00',
      meaning: 'Authorisation 06 01: amount 1.00',
    }),
  },
  {
    name: 'till-advanced',
    at: '',
    scene: atTill({
      ...till,
      profile: 'noRegistrationPrintsLines',
      record: '2026-12-01T12:00:00Z',
      partialReversals: true,
    }),
    reach: async (page) => {
      await page.getByTestId('advanced').locator('summary').click();
      await page.locator('#partialReversals').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'till-concert-network',
    at: '',
    scene: atTill({ ...tcp, protocol: 'concert', port: 8_888 }, { till: tcpLine }),
    reach: toSecurity,
    likeAnother: true,
  },
  ...(
    ['zvt', 'nexo', 'opi', 'xml', 'text', 'printer', 'http', 'tls', 'zvtTcp', 'unknown'] as const
  ).map((protocol) =>
    heardAt(protocol, { what: 'otherProtocol', protocol, bytes: 211, firstBytes: '1B 40 1B 61' }),
  ),
  { name: 'till-http', at: '', scene: path(until('till')), main: true, reach: toHttp },
  { name: 'till-http-token', at: '', scene: path(until('till'), madeNow()), reach: makeToken },
  {
    name: 'till-http-network',
    at: '',
    scene: path(
      { ...until('till'), till: program },
      {
        tillApi: () => ({
          ...tillApi,
          lanes: ['2', '3'],
          token: { name: 'Kiosk', scopes: ['pay'] },
        }),
        checkTillApi: () => ({ address: 'https://till-1.shop.example:4182' }),
      },
    ),
    reach: async (page) => {
      await page.getByTestId('api-ready').waitFor();
    },
  },
  {
    name: 'till-http-broken',
    at: '',
    scene: path(
      { ...until('till'), till: program },
      {
        checkTillApi: refuses(
          new Refusal('fileAbsent', '', {
            field: 'key',
            facts: { path: '/etc/tillbeacon/till-1.key' },
          }),
        ),
      },
    ),
    reach: async (page) => {
      await page.locator('#key-problem span').waitFor();
    },
  },
  {
    name: 'till-heardHttp',
    at: '',
    scene: atTill(tcp, {
      what: 'otherProtocol',
      protocol: 'http',
      bytes: 211,
      firstBytes: '50 4F 53 54',
      till: tcpLine,
    }),
    likeAnother: true,
  },
  {
    name: 'till-nexo',
    at: '',
    scene: path(until('till')),
    reach: async (page) => {
      await toHttp(page);
      await page.getByTestId('httpProtocol').selectOption('nexo');
      await next(page);
      await page.locator('#passphrase-problem span').waitFor();
      await page
        .getByTestId('shared-key')
        .evaluate((card) => card.scrollIntoView({ block: 'end' }));
    },
  },
  {
    name: 'till-nexo-letters',
    at: '',
    likeAnother: true,
    scene: path(until('till')),
    reach: async (page) => {
      await toHttp(page);
      await page.getByTestId('httpProtocol').selectOption('nexo');
      await page.locator('#passphrase').fill('smørrebrød på broen');
      await next(page);
      await page.locator('#passphrase-problem span').waitFor();
      await page
        .getByTestId('shared-key')
        .evaluate((card) => card.scrollIntoView({ block: 'end' }));
    },
  },
  {
    name: 'till-nexo-token',
    at: '',
    scene: path({
      ...until('till'),
      till: { ...program, nexo: { poiId: 'Tillbeacon-2', key: null } },
    }),
    reach: async (page) => {
      await page.getByTestId('token-part').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'till-concert',
    at: '',
    scene: path(
      { ...until('till'), till },
      { listenToTill: () => concert, tillHeard: () => concert, serialPorts: listedLate },
    ),
    reach: async (page) => {
      await page.getByTestId('ports').waitFor();
    },
  },
];
