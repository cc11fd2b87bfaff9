/** What setup asks about the till: which ports there are, what comes over one, and whether a payment goes through. */
import { z } from 'zod';
import { currencies } from '../../main/domain/money.ts';
import { portProblems } from '../../main/domain/till-links.ts';
import { tillScopes } from '../../main/domain/till-scopes.ts';
import { procedure } from './procedure.ts';
import { TestedWith, TillApi, TillLine, tillProfileIds } from './setup-fields.ts';
import { Scopes, TillName } from './till-tokens.ts';

const Port = z.object({
  /** To be saved as the till's `path`: the one that names the adapter, where there is one, so that it survives another socket. */
  path: z.string(),
  /** What the system calls it, e.g. `/dev/ttyUSB0`, `COM3`. */
  name: z.string(),
  manufacturer: z.string().nullable(),
  serialNumber: z.string().nullable(),
  vendorId: z.string().nullable(),
  productId: z.string().nullable(),
  /** It was not there when this screen asked first, or was unplugged since. */
  justPluggedIn: z.boolean(),
  /** A lane that has it; null when there is none. */
  laneId: z.string().nullable(),
  /** What that lane has there; null when there is nothing. */
  device: z.enum(['till', 'scanner']).nullable(),
});
export type SerialPortShown = z.infer<typeof Port>;

export const Heard = z.object({
  /**
   * opening: the port is not open yet, `detail` says why if it failed. nothing: open, no byte came. unclear: some bytes, too few to tell. zvt: packets of ZVT
   * with a right
   * checksum; concert: a till of Concert: each where it is what was waited for, see `till.protocol`. zvtDamaged: ZVT blocks, none of them whole: the cable or
   * the stop bits. wrongBaudRate: noise; other rates are being tried.
   * otherProtocol: see `protocol`. stopped: nobody asked for half a minute, or it was ended.
   */
  what: z.enum(['opening', 'nothing', 'unclear', 'zvt', 'concert', 'zvtDamaged', 'wrongBaudRate', 'otherProtocol', 'stopped']),
  /**
   * opi: XML of the O.P.I. protocol. xml, text: some other. printer: a receipt printer's commands: that is the till's printer port. http: a program, which
   * may be a till over HTTP; nexo: it is one. tls: a browser or a network scanner. zvt, concert: the other one than was waited for.
   * zvtSerial: ZVT as on a serial line, over TCP: the converter must hand on bare packets. zvtTcp: the other way round. unknown: none that we know.
   */
  protocol: z.enum(['zvt', 'concert', 'opi', 'xml', 'text', 'printer', 'http', 'nexo', 'tls', 'zvtSerial', 'zvtTcp', 'unknown']).nullable(),
  bytes: z.int().nonnegative(),
  /** Whole packets of ZVT. */
  packets: z.int().nonnegative(),
  /** The first ones, upper-case hex, for support. */
  firstBytes: z.string(),
  /** What the till meant, e.g. `Registration 06 00`; null when it is not ZVT. */
  meaning: z.string().nullable(),
  /** One that fits what the till said first; null for none in particular. */
  profile: z.enum(tillProfileIds).nullable(),
  /** The line as it listens now. With another rate than was asked for and `zvt` or `concert`, that rate is the right one: save it. */
  till: TillLine,
  /** An address that is not among `till.from` and wanted to connect; null when there is none. */
  turnedAway: z.string().nullable(),
  detail: z.string().nullable(),
  /** Why the port is not open, with `detail`; null when it is, or it was not tried yet. */
  problem: z.enum(portProblems).nullable(),
});
export type Heard = z.infer<typeof Heard>;

const TestStep = z.enum(['starting', 'askedByTill', 'waitingForCustomer', 'approveInApp', 'tillTold', 'captured']);

export const TestPaymentState = z.object({
  /** ready: a till can press 1.00 now (of `with: 'till'`). */
  state: z.enum(['none', 'starting', 'ready', 'running', 'passed', 'failed', 'stopped']),
  /** null with `none`. */
  with: TestedWith.nullable(),
  /** Reached so far, in their order. */
  steps: z.array(TestStep),
  /** What was paid; null while there is nothing. */
  amountMinor: z.int().nullable(),
  currency: z.enum(currencies).nullable(),
  /** Where a till that is a program sends its requests now; null for another till, or before that. */
  api: z
    .object({
      url: z.string(),
      /** A file of this computer with which its certificate is checked; null without encryption. */
      certificate: z.string().nullable(),
      /** Where the name in `url` is, as curl has it; null when it is an address. */
      resolve: z.string().nullable(),
    })
    .nullable(),
  /** Why it failed, in English for support. */
  detail: z.string().nullable(),
});
export type TestPaymentState = z.infer<typeof TestPaymentState>;

/**
 * Of where tills that are programs find this computer, with its field. `hostNotHere`: facts.host. `portTaken`: facts.count. `tlsMissing`: other computers
 * reach it. `fileAbsent`, `fileUnreadable`: facts.path. `certificateExpired`: or it is not valid yet. `keyMismatch`: it is another certificate's.
 */
export const apiRefusals = [
  'hostNotHere',
  'portTaken',
  'tlsMissing',
  'fileAbsent',
  'fileUnreadable',
  'notACertificate',
  'certificateExpired',
  'notAKey',
  'keyMismatch',
] as const;

export const tillProcedures = {
  /** What there is for a till that is a program. */
  tillApi: procedure({
    who: 'installer',
    input: z.object({}),
    output: z.object({
      /** The settings in use, or the usual ones. */
      api: TillApi,
      /** Other lanes whose till is a program: they move with it. */
      lanes: z.array(z.string()),
      /** A name that no other lane has, for a till that speaks Nexo. */
      poiId: z.string(),
      /** Addresses of this computer in its networks. */
      addresses: z.array(z.string()),
      /** The draft's token; null when none was made. */
      token: z.object({ name: z.string(), scopes: z.array(z.enum(tillScopes)) }).nullable(),
    }),
    refusals: [],
  }),

  /** Whether it can be served there: `address` is what is set in the till, e.g. `https://till-1.shop.example:4182`. */
  checkTillApi: procedure({ who: 'installer', input: TillApi, output: z.object({ address: z.string() }), refusals: apiRefusals }),

  /**
   * For the draft's lane, in place of an earlier one of this draft. `token` is told this once; it is taken during a test payment, and always once the
   * draft is in use. It is gone when the draft is discarded, or its till is no program any more. `incomplete`: no draft was begun.
   */
  makeDraftToken: procedure({
    who: 'installer',
    input: z.object({ name: TillName, scopes: Scopes }),
    output: z.object({ token: z.string() }),
    refusals: ['incomplete'],
    records: ({ name, scopes }) => ({ name, scopes }),
  }),

  /** Ask every second while the list is shown, so that a port that is plugged in lights up. */
  serialPorts: procedure({ who: 'installer', input: z.object({}), output: z.object({ ports: z.array(Port) }), refusals: [] }),

  /**
   * Listens, and says nothing to the till: "waiting for the till's first bytes". It answers when the line is open, or could not be opened (`opening` with
   * `detail`). Ask `tillHeard` every half second. Listening to another one ends the one before.
   * `laneUses`: this counter's lane facts.laneId has it, and hears the till already.
   */
  listenToTill: procedure({ who: 'installer', input: z.object({ till: TillLine }), output: Heard, refusals: ['laneUses'] }),
  tillHeard: procedure({ who: 'installer', input: z.object({}), output: Heard, refusals: [] }),
  stopListening: procedure({ who: 'installer', input: z.object({}), output: z.object({}), refusals: [] }),

  /**
   * A payment of 1.00 through this very program and a simulated service: no money, and nobody's phone. `own`: a built-in till presses the key. `till`: the
   * real till of the draft does: its cashier enters 1.00. The customer's part is played. Ask `testPaymentState` every half second.
   * `incomplete`: facts.step is not filled in yet. `laneUses`: as above.
   */
  startTestPayment: procedure({
    who: 'installer',
    input: z.object({ with: TestedWith }),
    output: TestPaymentState,
    refusals: ['incomplete', 'laneUses'],
  }),
  testPaymentState: procedure({ who: 'installer', input: z.object({}), output: TestPaymentState, refusals: [] }),
  stopTestPayment: procedure({ who: 'installer', input: z.object({}), output: z.object({}), refusals: [] }),
} as const;
