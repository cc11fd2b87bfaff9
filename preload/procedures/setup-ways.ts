/** The ways to a lane's customers with the ePayment service: the code of each payment alone, or the customer first, by scanner, number or sticker. */
import { z } from 'zod';
import { serviceAddress } from '../../main/domain/service-address.ts';
import { followToken, followTokenRule, merchantQrIdPattern, merchantQrIdRule } from '../../main/domain/stickers.ts';
import { portProblems } from '../../main/domain/till-links.ts';
import { procedure } from './procedure.ts';
import { BeaconId, SerialPort } from './setup-fields.ts';
import { networkRefusals } from './setup-service.ts';

/** own: the code is ours, and its name stays at the service for ever. printed: of a sticker of the point-of-sale service, which is taken over. */
const Sticker = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('own'), id: z.string().regex(merchantQrIdPattern, merchantQrIdRule) }),
  z.object({ kind: z.literal('printed'), beaconId: BeaconId }),
]);

/** The ways of each `flow` of the settings. */
const Ways = z.discriminatedUnion('flow', [
  z.object({ flow: z.literal('initiate') }),
  z.object({
    flow: z.literal('prepare'),
    customerTypesNumber: z.boolean(),
    sticker: Sticker.nullable(),
    /** A scanner at a serial port; null for none, or one that types as a keyboard. */
    scanner: z.object(SerialPort).nullable(),
  }),
]);
export type Ways = z.infer<typeof Ways>;

const Token = z.string().trim().regex(followToken, followTokenRule);
/** A `token` of null means the one that the settings have for this address; it never goes anywhere else. */
const ReceiverAsked = z.object({ url: serviceAddress, token: Token.nullable() });

export const CustomerWays = z.object({
  laneId: z.string(),
  name: z.string(),
  ways: Ways,
  /** The receiver of the whole counter; null when there is none. Its token stays in the daemon. */
  receiver: z.object({ url: z.string() }).nullable(),
  /** A name for the lane's own code that no other lane has. */
  freeStickerId: z.string(),
  /** The other lanes with a sticker: they need the receiver. */
  stickersAt: z.array(z.string()),
});
export type CustomerWays = z.infer<typeof CustomerWays>;

export const ScannerHeard = z.object({
  /** opening: the port is not open yet; `problem` and `detail` say why if it failed. stopped: nobody asked for half a minute, or it was ended. */
  state: z.enum(['opening', 'listening', 'stopped']),
  problem: z.enum(portProblems).nullable(),
  detail: z.string().nullable(),
  /** What was read last; null while there is nothing. */
  read: z
    .object({
      /** The end of the code: a customer's code identifies a person. */
      masked: z.string(),
      characters: z.int().positive(),
      /** customer: of a customer's app. other: of something else. garbled: no text, as at a wrong baud rate. */
      what: z.enum(['customer', 'other', 'garbled']),
      /** Counted, because the same code can be read again. */
      count: z.int().positive(),
    })
    .nullable(),
});
export type ScannerHeard = z.infer<typeof ScannerHeard>;

const LaneId = z.string().max(12);

export const waysProcedures = {
  /** `notHere`: nothing is set up, or not with the ePayment service. */
  customerWays: procedure({ who: 'installer', input: z.object({ laneId: LaneId }), output: CustomerWays, refusals: [] }),

  /**
   * Puts it in use, at once; refused as `finishSetup` is. `receiver` null: there is to be none. `receiverMissing`: the sticker needs one.
   * `receiverNeeded`: lane facts.laneId has a sticker. `stickerTaken`, `portUsed`: lane facts.laneId has it. `tokenMissing`: none is kept for this address.
   */
  changeCustomerWays: procedure({
    who: 'installer',
    input: z.object({ laneId: LaneId, ways: Ways, receiver: ReceiverAsked.nullable() }),
    output: CustomerWays,
    refusals: [
      'receiverMissing',
      'receiverNeeded',
      'stickerTaken',
      'portUsed',
      'tokenMissing',
      'unsettledMoney',
      'notWritable',
      'settingsRefused',
      'cannotOpen',
    ],
    records: ({ laneId, ways, receiver }) => ({ subject: laneId, ways, receiver: receiver && receiver.url }),
  }),

  /**
   * Asks the receiver as a counter does, now. The real reason, as of the service; `receiverRefused`: it does not know the token. `notAReceiver`: somebody
   * else answers (facts.status).
   */
  tryReceiver: procedure({
    who: 'installer',
    input: ReceiverAsked,
    output: z.object({}),
    refusals: ['tokenMissing', 'receiverRefused', 'notAReceiver', ...networkRefusals, 'serviceFailing'],
  }),

  /** Listens at the port; ask `scannerHeard` every half second. `portUsed`: lane facts.laneId has it, and listens already. */
  listenToScanner: procedure({ who: 'installer', input: z.object(SerialPort), output: ScannerHeard, refusals: ['portUsed'] }),
  scannerHeard: procedure({ who: 'installer', input: z.object({}), output: ScannerHeard, refusals: [] }),
  stopScanner: procedure({ who: 'installer', input: z.object({}), output: z.object({}), refusals: [] }),
} as const;
