/** Procedures of setup about the till: the ports, what a till sends, and the test payment. */
import { z } from 'zod';
import { currencies } from '../../main/core/domain/money.ts';
import { portClaimers, portProblems } from '../../main/core/domain/till-links.ts';
import { tillScopes } from '../../main/core/domain/till-scopes.ts';
import { procedure } from './procedure.ts';
import {
  addressRefusals,
  TestedWith,
  TillApi,
  TillLine,
  type TillProfileId,
} from './setup-fields.ts';
import { Scopes, TillName } from './till-tokens.ts';

const Port = z.object({
  /**
   * To be saved as the till's `path`. It names the adapter where there is one, so that the adapter
   * can be moved to another socket.
   */
  path: z.string(),
  /** The system's name, e.g. `/dev/ttyUSB0` or `COM3`. */
  name: z.string(),
  manufacturer: z.string().nullable(),
  serialNumber: z.string().nullable(),
  vendorId: z.string().nullable(),
  productId: z.string().nullable(),
  /** Whether it was plugged in after this screen asked first. */
  justPluggedIn: z.boolean(),
  /** The lane that uses the port; null for none. */
  laneId: z.string().nullable(),
  /** The lane's device at the port; null without a lane. */
  device: z.enum(['till', 'scanner']).nullable(),
});
export type SerialPortShown = z.infer<typeof Port>;

/** The profiles that a till's first bytes can tell. */
const suggestedProfileIds = [
  'noRegistration',
  'currencyOfLane',
  'passwordInPayment',
  'blocksOverTcp',
] as const satisfies readonly TillProfileId[];
export type SuggestedProfileId = (typeof suggestedProfileIds)[number];

const ListenRefusal = z.object({
  code: z.enum(addressRefusals),
  facts: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type ListenRefusal = z.infer<typeof ListenRefusal>;

export const Heard = z.object({
  /**
   * opening: the port is not open yet; `detail` says why when it failed. nothing: open, and no byte
   * came. unclear: too few bytes came. zvt: ZVT packets with a right checksum; concert: a till of
   * Concert; each when it is the expected protocol (`till.protocol`). zvtDamaged: only damaged ZVT
   * blocks came, because of the cable or the stop bits. wrongBaudRate: noise; other rates are
   * tried. otherProtocol: see `protocol`. stopped: no call for half a minute, or it was ended.
   */
  what: z.enum([
    'opening',
    'nothing',
    'unclear',
    'zvt',
    'concert',
    'zvtDamaged',
    'wrongBaudRate',
    'otherProtocol',
    'stopped',
  ]),
  /**
   * opi: XML of the O.P.I. protocol. xml, text: other XML or text. printer: a receipt printer's
   * commands, so that this is the till's printer port. http: a program, which may be a till over
   * HTTP. nexo: a till over HTTP that speaks Nexo. tls: a browser or a network scanner. zvt,
   * concert: the other protocol than the expected one. zvtTcp: bare packets of ZVT on a serial
   * line. unknown: no known protocol.
   */
  protocol: z
    .enum([
      'zvt',
      'concert',
      'opi',
      'xml',
      'text',
      'printer',
      'http',
      'nexo',
      'tls',
      'zvtTcp',
      'unknown',
    ])
    .nullable(),
  bytes: z.int().nonnegative(),
  /** Whole packets of ZVT. */
  packets: z.int().nonnegative(),
  /** The first ones, upper-case hex, for support. */
  firstBytes: z.string(),
  /** The till's first packet in words, e.g. `Registration 06 00`; null when it is not ZVT. */
  meaning: z.string().nullable(),
  /** The profile that matches the till's first packet; null for none. */
  profile: z.enum(suggestedProfileIds).nullable(),
  /**
   * The line as the till speaks on it. With `zvt` or `concert` its rate is the right one, and with
   * `concert` data bits and parity too: to be saved when they differ from those asked for.
   */
  till: TillLine,
  /** An address that tried to connect and is not in `till.from`; null for none. */
  turnedAway: z.string().nullable(),
  /**
   * What a till was answered, as by a lane that is not ready; null for nothing. registered: its
   * registration was taken. registrationRefused: it registers in another currency than the lane's.
   * refused: what it asked for was refused, e.g. a payment. answered: anything else.
   */
  answered: z.enum(['registered', 'registrationRefused', 'refused', 'answered']).nullable(),
  detail: z.string().nullable(),
  /** Why the port is not open, with `detail`; null when it is open, or was not tried yet. */
  problem: z.enum(portProblems).nullable(),
  /** The program that took the port by itself; missing for any other, or none. */
  claimer: z.enum(portClaimers).optional(),
  /**
   * Why a network address cannot be listened on; missing for a serial port, and for a cause without
   * words of its own.
   */
  listening: ListenRefusal.optional(),
});
export type Heard = z.infer<typeof Heard>;

const TestStep = z.enum([
  'starting',
  'askedByTill',
  'waitingForCustomer',
  'approveInApp',
  'tillTold',
  'captured',
]);

export const TestPaymentState = z.object({
  /** ready: the till's cashier can enter 1.00 now (only `with: 'till'`). */
  state: z.enum(['none', 'starting', 'ready', 'running', 'passed', 'failed', 'stopped']),
  /** null with `none`. */
  with: TestedWith.nullable(),
  /** The steps reached so far, in order. */
  steps: z.array(TestStep),
  /** The paid amount; null before. */
  amountMinor: z.int().nullable(),
  currency: z.enum(currencies).nullable(),
  /**
   * The address for the requests of a till that is a program; null for other tills, and before it
   * is served.
   */
  api: z
    .object({
      url: z.string(),
      /** Path of a file on this computer for checking the certificate; null without encryption. */
      certificate: z.string().nullable(),
      /** The value of curl's `--resolve` for the name in `url`; null when it has an address. */
      resolve: z.string().nullable(),
    })
    .nullable(),
  /**
   * The last request of a web page that was refused, with the code of its problem, e.g.
   * `origin-refused`; null for none. What a browser has blocked by itself (Local Network Access)
   * reaches nobody, and is not told here.
   */
  refusedPage: z.object({ page: z.string(), code: z.string() }).nullable(),
  /** Why it failed, in English for support. */
  detail: z.string().nullable(),
});
export type TestPaymentState = z.infer<typeof TestPaymentState>;

/**
 * Refusals of the address of the HTTP API, with the field. `tlsMissing`: other computers can reach
 * the address, so it needs encryption. `fileAbsent`, `fileUnreadable`: facts.path.
 * `certificateExpired`: or not valid yet. `keyMismatch`: the key is that of another certificate.
 */
export const apiRefusals = [
  ...addressRefusals,
  'tlsMissing',
  'fileAbsent',
  'fileUnreadable',
  'notACertificate',
  'certificateExpired',
  'notAKey',
  'keyMismatch',
] as const;

export const tillProcedures = {
  /** The address, token and names for a till that is a program. */
  tillApi: procedure({
    who: 'installer',
    input: z.object({}),
    output: z.object({
      /** The settings in use, or the usual ones. */
      api: TillApi,
      /** Names of other lanes whose till is a program, for which the address changes too. */
      lanes: z.array(z.string()),
      /** A POIID that no other lane has, for a till that speaks Nexo. */
      poiId: z.string(),
      /** Addresses of this computer in its networks. */
      addresses: z.array(z.string()),
      /** The draft's token; null when none was made. */
      token: z.object({ name: z.string(), scopes: z.array(z.enum(tillScopes)) }).nullable(),
    }),
    refusals: [],
  }),

  /**
   * Checks whether the API can be served at this address. `address` is to be set in the till, e.g.
   * `https://till-1.shop.example:4182`.
   */
  checkTillApi: procedure({
    who: 'installer',
    input: TillApi,
    output: z.object({ address: z.string() }),
    refusals: apiRefusals,
  }),

  /**
   * Makes a token for the draft's lane, and replaces an earlier one of the draft. `token` is told
   * only here. It is valid during a test payment, and always once the draft is in use. It ends when
   * the draft is discarded, or its till is no longer a program. `incomplete`: there is no draft.
   */
  makeDraftToken: procedure({
    who: 'installer',
    input: z.object({ name: TillName, scopes: Scopes }),
    output: z.object({ token: z.string() }),
    refusals: ['incomplete'],
    records: ({ name, scopes }) => ({ name, scopes }),
  }),

  /**
   * To be called every second while the list is shown, so that a port that is plugged in is
   * highlighted.
   */
  serialPorts: procedure({
    who: 'installer',
    input: z.object({}),
    output: z.object({ ports: z.array(Port) }),
    refusals: [],
  }),

  /**
   * Listens to a till, and answers it as a lane that is not ready: it can register, and whatever
   * moves money is refused. Resolves when the line is open, or could not be opened (`opening` with
   * `detail`). `tillHeard` is to be called every half second. Listening to another line ends the
   * one before. `laneUses`: the lane facts.laneId of this counter uses the line already.
   */
  listenToTill: procedure({
    who: 'installer',
    input: z.object({ till: TillLine }),
    output: Heard,
    refusals: ['laneUses'],
  }),
  tillHeard: procedure({ who: 'installer', input: z.object({}), output: Heard, refusals: [] }),
  stopListening: procedure({
    who: 'installer',
    input: z.object({}),
    output: z.object({}),
    refusals: [],
  }),

  /**
   * A payment of 1.00 through a simulated service, without money and without a phone: the customer
   * is simulated too. `own`: with a built-in till. `till`: with the till of the draft, at which a
   * cashier enters 1.00. `testPaymentState` is to be called every half second. `incomplete`:
   * facts.step is not filled in yet. `laneUses`: as for `listenToTill`.
   */
  startTestPayment: procedure({
    who: 'installer',
    input: z.object({ with: TestedWith }),
    output: TestPaymentState,
    refusals: ['incomplete', 'laneUses'],
  }),
  testPaymentState: procedure({
    who: 'installer',
    input: z.object({}),
    output: TestPaymentState,
    refusals: [],
  }),
  stopTestPayment: procedure({
    who: 'installer',
    input: z.object({}),
    output: z.object({}),
    refusals: [],
  }),
} as const;
