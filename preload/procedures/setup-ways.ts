/**
 * How a lane finds its customers with the ePayment service: by the code of each payment, or the
 * customer first, by scanner, telephone number or sticker.
 */
import { z } from 'zod';
import { serviceAddress } from '../../main/core/domain/service-address.ts';
import {
  followToken,
  followTokenRule,
  merchantQrIdPattern,
  merchantQrIdRule,
} from '../../main/core/domain/stickers.ts';
import { portClaimers, portProblems } from '../../main/core/domain/till-links.ts';
import { procedure } from './procedure.ts';
import { BeaconId, SerialPort } from './setup-fields.ts';
import { networkRefusals } from './setup-service.ts';

/**
 * own: a code of this counter, whose name is never free again at the service. printed: a sticker of
 * the point-of-sale service, which is taken over.
 */
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
/**
 * A `token` of null means the one that the settings have for this address. It is never sent to
 * another address.
 */
const ReceiverInput = z.object({ url: serviceAddress, token: Token.nullable() });

export const CustomerWays = z.object({
  laneId: z.string(),
  name: z.string(),
  ways: Ways,
  /** The callback receiver of the whole counter, without its token; null when there is none. */
  receiver: z.object({ url: z.string() }).nullable(),
  /** A name for the lane's own code that no other lane has. */
  freeStickerId: z.string(),
  /** The other lanes with a sticker, which need the receiver. */
  stickersAt: z.array(z.string()),
});
export type CustomerWays = z.infer<typeof CustomerWays>;

export const ScannerReport = z.object({
  /**
   * opening: the port is not open yet; `problem` and `detail` say why when it failed. stopped: no
   * call for half a minute, or it was ended.
   */
  state: z.enum(['opening', 'listening', 'stopped']),
  problem: z.enum(portProblems).nullable(),
  /** The program that took the port by itself; missing for any other, or none. */
  claimer: z.enum(portClaimers).optional(),
  detail: z.string().nullable(),
  /** The last code; null before the first one. */
  read: z
    .object({
      /** The end of the code alone, because a customer's code identifies a person. */
      masked: z.string(),
      characters: z.int().positive(),
      /**
       * customer: the code of a customer's app. other: another code. garbled: not text, as at a
       * wrong baud rate.
       */
      what: z.enum(['customer', 'other', 'garbled']),
      /** The number of codes so far, because the same code can be read again. */
      count: z.int().positive(),
    })
    .nullable(),
});
export type ScannerReport = z.infer<typeof ScannerReport>;

const LaneId = z.string().max(12);

export const waysProcedures = {
  /** `notHere`: nothing is set up, or not with the ePayment service. */
  customerWays: procedure({
    who: 'installer',
    input: z.object({ laneId: LaneId }),
    output: CustomerWays,
    refusals: [],
  }),

  /**
   * Puts the change in use at once; refused as `finishSetup` is. `receiver` null: no receiver.
   * `receiverMissing`: the sticker needs one. `receiverNeeded`: lane facts.laneId has a sticker.
   * `stickerTaken`, `portUsed`: lane facts.laneId has it. `tokenMissing`: the settings have none
   * for this address.
   */
  changeCustomerWays: procedure({
    who: 'installer',
    input: z.object({ laneId: LaneId, ways: Ways, receiver: ReceiverInput.nullable() }),
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
    records: ({ laneId, ways, receiver }) => ({
      subject: laneId,
      ways,
      receiver: receiver && receiver.url,
    }),
  }),

  /**
   * Asks the receiver as a counter does. Refused with the reason, as for the service.
   * `receiverRefused`: it does not know the token. `notAReceiver`: another server answers
   * (facts.status).
   */
  tryReceiver: procedure({
    who: 'installer',
    input: ReceiverInput,
    output: z.object({}),
    refusals: [
      'tokenMissing',
      'receiverRefused',
      'notAReceiver',
      ...networkRefusals,
      'serviceFailing',
    ],
  }),

  /**
   * Listens at the port. `scannerHeard` is to be called every half second. `portUsed`: lane
   * facts.laneId uses the port already.
   */
  listenToScanner: procedure({
    who: 'installer',
    input: z.object(SerialPort),
    output: ScannerReport,
    refusals: ['portUsed'],
  }),
  scannerHeard: procedure({
    who: 'installer',
    input: z.object({}),
    output: ScannerReport,
    refusals: [],
  }),
  stopScanner: procedure({
    who: 'installer',
    input: z.object({}),
    output: z.object({}),
    refusals: [],
  }),
} as const;
