/**
 * The installer's path: language → wallet → store → point of sale → till → test payment → done. The daemon keeps what was filled in as a draft
 * on disk, so that the path goes on where it was left, on any screen; nothing is in use before `finishSetup`. Secrets go in and never come out.
 *
 * A screen reads `setupState` when it opens, saves each step with `saveDraft`, and shows the step that `draft.next` names. Everything below works
 * on that one draft: the procedures about the service use its wallet, `testPayment` its till. The rules of the fields are in `setup-fields.ts`.
 */
import { beaconTypes } from '../../main/domain/beacons.ts';
import { z } from 'zod';
import { FileOffer, procedure } from './procedure.ts';
import { customerProcedures } from './setup-customer.ts';
import { Language, PointOfSaleAsked, StoreAsked, TestedWith, TillInput, TillShown, WalletInput, WalletShown } from './setup-fields.ts';
import { paymentProcedures } from './setup-payment.ts';
import { serviceProcedures } from './setup-service.ts';
import { apiRefusals, tillProcedures } from './setup-till.ts';
import { waysProcedures } from './setup-ways.ts';

export const SetupStep = z.enum(['language', 'wallet', 'store', 'pointOfSale', 'till']);
export type SetupStep = z.infer<typeof SetupStep>;

/** What is filled in so far; null before that. A step that is done can be done again at any time; those that build on it then open again. */
export const Draft = z.object({
  /** The lane that is being changed; null for a new one. */
  laneId: z.string().nullable(),
  language: Language.nullable(),
  wallet: WalletShown.nullable(),
  store: StoreAsked.nullable(),
  pointOfSale: PointOfSaleAsked.nullable(),
  till: TillShown.nullable(),
  /** The till was saved though nothing of it was heard: its line is not proven. */
  unheard: z.boolean(),
  /** The till with which a test payment went through, with this flow; null when none did. Setup can be finished without. */
  tested: TestedWith.nullable(),
  /** The first step that is not done; `finish`: nothing is missing. */
  next: z.union([SetupStep, z.literal('finish')]),
});
export type Draft = z.infer<typeof Draft>;

/** A lane in use. */
const LaneShown = z.object({
  laneId: z.string(),
  name: z.string(),
  merchantPosId: z.string(),
  pointOfSaleName: z.string(),
  /** e.g. `serial:/dev/ttyUSB0`; exact. */
  till: z.string(),
  /** What the QR code says, to be printed; null when there is none, or it was not open since the start. */
  qr: z.string().nullable(),
  /** A code that the service draws itself, fetched by the daemon: to be printed as it is; missing when there is none, or it is not known yet. */
  picture: z.string().startsWith('data:image/png;base64,').max(150_000).optional(),
  /** Empty: each payment has a code of its own on the screens, and there is no sticker. */
  beacons: z.array(z.enum(beaconTypes)),
});

/** One thing of a point of sale that is not as the settings want it. Values as text; null when there is none. */
const Difference = z.object({
  field: z.enum(['name', 'storeId', 'beaconId', 'beaconTypes', 'requirePaymentBeforeCheckin', 'callbackAlias']),
  now: z.string().nullable(),
  wanted: z.string().nullable(),
});

export const setupProcedures = {
  ...serviceProcedures,
  ...tillProcedures,
  ...customerProcedures,
  ...paymentProcedures,
  ...waysProcedures,

  /** For every screen: the language that this shop speaks (null when nobody has said), and whether there is a lane yet. */
  shop: procedure({ who: 'anyone', input: z.object({}), output: z.object({ language: Language.nullable(), isSetUp: z.boolean() }), refusals: [] }),

  /** Ask again after each change, and every few seconds while it is shown: a settings file can be dropped at any time. */
  setupState: procedure({
    who: 'installer',
    input: z.object({}),
    output: z.object({
      /** What is in use; null when nothing is set up. */
      inUse: z.object({ wallet: WalletShown, lanes: z.array(LaneShown) }).nullable(),
      draft: Draft.nullable(),
      /**
       * The settings file. `refused`: there is one that breaks rules, `mistakes` has a line for each (`path: rule, got value`; in English, for the one
       * who wrote the file), and what was in use before still is. `waiting`: it is right, and will be applied as soon as no payment is under way.
       */
      file: z.object({
        path: z.string(),
        state: z.enum(['none', 'inUse', 'refused', 'waiting']),
        mistakes: z.array(z.string()),
        /** When that was found. */
        atMs: z.number().nullable(),
      }),
      /** What starts the daemon, as far as the daemon can see; `signIn`: the user's, to this computer. `system`: how it is mended. */
      starts: z.object({ with: z.enum(['computer', 'signIn', 'nothing']), system: z.enum(['linux', 'windows', 'other']) }),
      /** Set where `restoreBackup` restores a backup: an empty counter of a desktop app. */
      canRestore: z.literal(true).optional(),
      /** Lanes whose point of sale is being re-created at this moment. */
      recreating: z.array(z.string()),
      /** Points of sale of removed lanes that are to be deleted, and are still at the service as far as is known. */
      leftBehind: z.array(z.object({ merchantPosId: z.string(), name: z.string(), host: z.string() })),
    }),
    refusals: [],
  }),

  /** Begins anew, and forgets an earlier draft: from a lane in use, to change it, or with `laneId` null for one more (the wallet is then filled in already). */
  beginSetup: procedure({
    who: 'installer',
    input: z.object({ laneId: z.string().max(12).nullable() }),
    output: Draft,
    refusals: [],
  }),

  discardSetup: procedure({ who: 'installer', input: z.object({}), output: z.object({}), refusals: [] }),

  /**
   * Keeps one step. `invalid` names the field that breaks a rule (below `value`, e.g. `value.merchantVat`). Another wallet opens the store again, which was
   * found with the one before. Without a draft this begins one.
   * `secretMissing`: `clientSecret` null, and the daemon has none for this client id at these addresses.
   * Where a till that is a program asks is refused as `checkTillApi` does.
   * `laneTaken`, `posTaken`, `tillTaken`, `poiTaken`: another lane of this counter has it (facts.laneId).
   */
  saveDraft: procedure({
    who: 'installer',
    input: z.discriminatedUnion('step', [
      z.object({ step: z.literal('language'), value: Language }),
      z.object({ step: z.literal('wallet'), value: WalletInput }),
      z.object({ step: z.literal('store'), value: StoreAsked }),
      z.object({ step: z.literal('pointOfSale'), value: PointOfSaleAsked }),
      z.object({ step: z.literal('till'), value: TillInput }),
    ]),
    output: Draft,
    refusals: ['secretMissing', 'laneTaken', 'posTaken', 'tillTaken', 'poiTaken', ...apiRefusals],
  }),

  /**
   * What finishing will do to the point of sale, to be told before. Asks the service.
   * `none`: this service has none, each payment has a code of its own. `new`: it will be created. `same`: there is one, and it is as wanted. `recreate`: the
   * service cannot edit one, so it is deleted and created anew once its
   * reservations are settled. Refused like every procedure that asks the service, see `setup-service.ts`.
   */
  consequences: procedure({
    who: 'installer',
    input: z.object({}),
    output: z.object({
      pointOfSale: z.enum(['none', 'new', 'same', 'recreate']),
      /** Set with `recreate`. */
      differences: z.array(Difference),
      /** A printed QR code or sticker stops working: print a new one. */
      newSticker: z.boolean(),
      /** To keep a printed code working, save this as `beaconId`; null when there is none. */
      presentBeaconId: z.string().nullable(),
      /** Another point of sale of this merchant has the wanted beacon: its `merchantPosId`. Two cannot have one. */
      beaconTakenBy: z.string().nullable(),
      /** A customer who is checked in has to check in again. */
      checkInsLost: z.boolean(),
      /** Payments here whose money is reserved and not settled: it must be before a re-creation. */
      reservations: z.int().nonnegative(),
      /** Payments that nobody waits for, and that are cancelled. */
      abandoned: z.int().nonnegative(),
    }),
    refusals: ['incomplete', ...serviceProcedures.findStores.refusals],
  }),

  /**
   * Puts the draft in use: writes the settings file (the previous one is kept beside it as `settings.previous.json`), and opens the lanes anew. Answers when
   * that is begun: watch the lane. `incomplete`: facts.step. `unconfirmed`: the point of sale would be re-created, show `consequences`
   * and ask again with `recreate` true. `reservations`: facts.count have to be settled first. `unsettledMoney`: the change would leave a lane (facts.laneId)
   * with facts.count payments that are not settled. `beaconTaken`: another point of sale has it, here or at another merchant. `busy`: a payment is under way
   * (facts.laneId). `notWritable`: the settings file (facts.path) cannot be written.
   * `settingsRefused`: the settings break a rule together with the other lanes (`message`). `cannotOpen`: the lanes could not be opened with them
   * (`message`), and the old settings are in use again.
   */
  finishSetup: procedure({
    who: 'installer',
    input: z.object({ recreate: z.boolean().default(false) }),
    output: z.object({
      laneId: z.string(),
      /** The code with which this counter's first manager is made; null when there is one already. */
      firstManagerCode: z.string().nullable(),
      /** See the draft's `tested`. */
      tested: TestedWith.nullable(),
      unheard: z.boolean(),
    }),
    refusals: [
      'incomplete',
      'unconfirmed',
      'beaconTaken',
      'reservations',
      'unsettledMoney',
      'notWritable',
      'settingsRefused',
      'cannotOpen',
      'tooManyTokens',
      ...serviceProcedures.findStores.refusals,
    ],
    records: ({ recreate }) => ({ recreate }),
  }),

  /**
   * Takes a lane out of use. `deletePointOfSale`: its point of sale is to be deleted at the service, so that a sticker left on the counter checks nobody
   * in: that is on disk when this answers, and `deletePointOfSale` does it. Refused as `finishSetup` is; `lastLane`: a counter has at least one.
   */
  removeLane: procedure({
    who: 'installer',
    input: z.object({ laneId: z.string().max(12), deletePointOfSale: z.boolean().default(false) }),
    output: z.object({}),
    refusals: ['lastLane', 'unsettledMoney', 'notWritable', 'cannotOpen'],
    records: ({ laneId, deletePointOfSale }) => ({ subject: laneId, deletePointOfSale }),
  }),

  /**
   * Deletes one of `setupState`'s `leftBehind` at the service, now; refused, it stays among them. `reservations`: facts.count payments there have
   * reserved money. `posTaken`: lane facts.laneId has it again. `otherService`: it is at facts.host, which is not in use here any more.
   */
  deletePointOfSale: procedure({
    who: 'installer',
    input: z.object({ merchantPosId: z.string().max(36) }),
    output: z.object({}),
    refusals: ['posTaken', 'otherService', 'reservations', 'secretMissing', ...serviceProcedures.findStores.refusals],
    records: ({ merchantPosId }) => ({ subject: merchantPosId }),
  }),

  /** Leaves one of `leftBehind` at the service. `posTaken`: as above. */
  keepPointOfSale: procedure({
    who: 'installer',
    input: z.object({ merchantPosId: z.string().max(36) }),
    output: z.object({}),
    refusals: ['posTaken'],
    records: ({ merchantPosId }) => ({ subject: merchantPosId }),
  }),

  /** A lane's settings as a file to keep or to carry to another counter. Without secrets. */
  exportLane: procedure({ who: 'installer', input: z.object({ laneId: z.string().max(12) }), output: FileOffer, refusals: [] }),

  /**
   * The text of such a file becomes the draft. `missing`: what is still to be done here: secrets are not in the file, and the serial port or the
   * address of the HTTP API may be another. `notALane`: it is no such file; a mistake in it is refused as `invalid`, `message` says where.
   */
  importLane: procedure({
    who: 'installer',
    input: z.object({ text: z.string().max(50_000) }),
    output: z.object({ draft: Draft, missing: z.array(z.enum(['clientSecret', 'serialPort', 'tillPassword', 'tillAddress', 'tillToken', 'tillPassphrase'])) }),
    refusals: ['notALane'],
  }),

  /**
   * A4, PDF, six stickers with marks to cut along: the QR code in its physical size (50 mm), or the phone symbol where there is no code; the name of the point
   * of sale below. `hold`: what a sticker for NFC or Bluetooth says beside the phone symbol, in the installer's language. `notOpen`: the lane was not open yet
   * since the start, so its beacon is not known.
   */
  stickerSheet: procedure({
    who: 'installer',
    input: z.object({ laneId: z.string().max(12), hold: z.string().regex(/^[\x20-\x7e\xa0-\xff]{1,60}$/, 'must be 1 to 60 characters of Latin-1') }),
    output: FileOffer,
    refusals: ['notOpen'],
  }),
} as const;
