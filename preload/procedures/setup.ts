/**
 * The installer's steps: language, wallet, store, point of sale, till, test payment. The daemon
 * keeps a draft of them on disk, so that setup can go on later and on any screen. Nothing is in use
 * before `finishSetup`. Secrets are never sent back to a screen.
 *
 * A screen reads `setupState` when it opens, saves each step with `saveDraft`, and shows the step
 * in `draft.next`. All procedures work on that one draft: those about the service use its wallet,
 * and `startTestPayment` uses its till. The rules of the fields are in `setup-fields.ts`.
 */
import { beaconTypes } from '../../main/core/domain/beacons.ts';
import { z } from 'zod';
import { Starts } from './health.ts';
import { FileOffer, procedure } from './procedure.ts';
import { customerProcedures } from './setup-customer.ts';
import {
  Language,
  PointOfSaleInput,
  StoreInput,
  TestedWith,
  TillInput,
  TillView,
  WalletInput,
  WalletView,
} from './setup-fields.ts';
import { paymentProcedures } from './setup-payment.ts';
import { serviceProcedures } from './setup-service.ts';
import { apiRefusals, tillProcedures } from './setup-till.ts';
import { waysProcedures } from './setup-ways.ts';

export const SetupStep = z.enum(['language', 'wallet', 'store', 'pointOfSale', 'till']);
export type SetupStep = z.infer<typeof SetupStep>;

/**
 * What is filled in so far; fields are null before that. A step can be repeated at any time, and
 * the steps that depend on it then have to be repeated too.
 */
export const Draft = z.object({
  /** The lane that is being changed; null for a new one. */
  laneId: z.string().nullable(),
  language: Language.nullable(),
  wallet: WalletView.nullable(),
  store: StoreInput.nullable(),
  pointOfSale: PointOfSaleInput.nullable(),
  till: TillView.nullable(),
  /** Whether the till was saved although nothing was received from it. */
  unheard: z.boolean(),
  /**
   * The till of a successful test payment with this flow; null without one. Setup can be finished
   * without.
   */
  tested: TestedWith.nullable(),
  /** The first step that is not done; `finish` when nothing is missing. */
  next: z.union([SetupStep, z.literal('finish')]),
});
export type Draft = z.infer<typeof Draft>;

/** A lane in use. */
const LaneShown = z.object({
  laneId: z.string(),
  name: z.string(),
  merchantPosId: z.string(),
  pointOfSaleName: z.string(),
  /** The till's address as in the settings, e.g. `serial:/dev/ttyUSB0`. */
  till: z.string(),
  /**
   * The text of the QR code, for printing; null when there is none, or the lane was not open since
   * the start.
   */
  qr: z.string().nullable(),
  /**
   * A code that the service draws itself, fetched by the daemon, for printing unchanged; missing
   * when there is none, or it is not known yet.
   */
  picture: z.string().startsWith('data:image/png;base64,').max(150_000).optional(),
  /** Empty when each payment has a code of its own on the screens, and there is no sticker. */
  beacons: z.array(z.enum(beaconTypes)),
  /**
   * The number of its tag or box, as the settings have it; missing when the service has chosen one.
   */
  beaconId: z.string().optional(),
});

/** A field of a point of sale that differs from the settings. Values are texts; null for none. */
const Difference = z.object({
  field: z.enum([
    'name',
    'storeId',
    'beaconId',
    'beaconTypes',
    'requirePaymentBeforeCheckin',
    'callbackAlias',
  ]),
  now: z.string().nullable(),
  wanted: z.string().nullable(),
});

export const setupProcedures = {
  ...serviceProcedures,
  ...tillProcedures,
  ...customerProcedures,
  ...paymentProcedures,
  ...waysProcedures,

  /**
   * For every screen: the shop's language (null when it is not set), and whether there is a lane
   * yet.
   */
  shop: procedure({
    who: 'anyone',
    input: z.object({}),
    output: z.object({ language: Language.nullable(), isSetUp: z.boolean() }),
    refusals: [],
  }),

  /**
   * To be called again after each change, and every few seconds while it is shown, because the
   * settings file can change at any time.
   */
  setupState: procedure({
    who: 'installer',
    input: z.object({}),
    output: z.object({
      /** What is in use; null when nothing is set up. */
      inUse: z.object({ wallet: WalletView, lanes: z.array(LaneShown) }).nullable(),
      draft: Draft.nullable(),
      /**
       * The settings file. `refused`: the file breaks rules, with a line for each in `mistakes`
       * (`path: rule, got value`; in English, for its author), and the settings before stay in use.
       * `waiting`: the file is valid, and is applied as soon as no payment is under way.
       */
      file: z.object({
        path: z.string(),
        state: z.enum(['none', 'inUse', 'refused', 'waiting']),
        mistakes: z.array(z.string()),
        /** Name of the key store that does not open the file's secrets; missing when it does. */
        lockedKeyStore: z.string().optional(),
        /** When that was found. */
        atMs: z.number().nullable(),
      }),
      starts: Starts,
      /** Set where `restoreBackup` restores a backup: an empty counter of a desktop app. */
      canRestore: z.literal(true).optional(),
      /** Lanes whose point of sale is being re-created at this moment. */
      recreating: z.array(z.string()),
      /**
       * Points of sale of removed lanes that are to be deleted, and are still at the service, as
       * far as is known.
       */
      leftBehind: z.array(
        z.object({ merchantPosId: z.string(), name: z.string(), host: z.string() }),
      ),
    }),
    refusals: [],
  }),

  /**
   * Begins a new draft and drops an earlier one: to change a lane in use, or with `laneId` null to
   * add one, with the wallet filled in.
   */
  beginSetup: procedure({
    who: 'installer',
    input: z.object({ laneId: z.string().max(12).nullable() }),
    output: Draft,
    refusals: [],
  }),

  discardSetup: procedure({
    who: 'installer',
    input: z.object({}),
    output: z.object({}),
    refusals: [],
  }),

  /**
   * Saves one step, and begins a draft when there is none. `invalid` names the field that breaks a
   * rule (below `value`, e.g. `value.merchantVat`). With another wallet the store has to be chosen
   * again. `secretMissing`: `clientSecret` is null, and the daemon has none for this client id at
   * these addresses. The address for a till that is a program is refused as by `checkTillApi`.
   * `laneTaken`, `nameTaken`, `posTaken`, `tillTaken`, `poiTaken`: another lane of this counter has
   * it (facts.laneId).
   */
  saveDraft: procedure({
    who: 'installer',
    input: z.discriminatedUnion('step', [
      z.object({ step: z.literal('language'), value: Language }),
      z.object({ step: z.literal('wallet'), value: WalletInput }),
      z.object({ step: z.literal('store'), value: StoreInput }),
      z.object({ step: z.literal('pointOfSale'), value: PointOfSaleInput }),
      z.object({ step: z.literal('till'), value: TillInput }),
    ]),
    output: Draft,
    refusals: [
      'secretMissing',
      'laneTaken',
      'nameTaken',
      'posTaken',
      'tillTaken',
      'poiTaken',
      ...apiRefusals,
    ],
  }),

  /**
   * What finishing will do to the point of sale, to be shown before. Asks the service. `none`: the
   * service has no points of sale, and each payment has a code of its own. `new`: it will be
   * created. `same`: it exists as wanted. `recreate`: the service cannot change it, so it is
   * deleted and created again once its reservations are settled. Refused as every procedure that
   * asks the service, see `setup-service.ts`.
   */
  consequences: procedure({
    who: 'installer',
    input: z.object({}),
    output: z.object({
      pointOfSale: z.enum(['none', 'new', 'same', 'recreate']),
      /**
       * Name of the store at the service, when the draft has its id alone; null when it has the
       * name, or the service has none.
       */
      storeName: z.string().nullable(),
      /** Set with `recreate`. */
      differences: z.array(Difference),
      /**
       * Whether a printed QR code or sticker stops working, so that a new one has to be printed.
       */
      newSticker: z.boolean(),
      /**
       * The present beacon id, to be saved as `beaconId` to keep a printed code working; null when
       * there is none.
       */
      presentBeaconId: z.string().nullable(),
      /**
       * The `merchantPosId` of another point of sale of this merchant that has the wanted beacon;
       * null for none. Two cannot have the same.
       */
      beaconTakenBy: z.string().nullable(),
      /** Whether a customer who is checked in has to check in again. */
      checkInsLost: z.boolean(),
      /**
       * The number of payments with reserved money, which have to be settled before a re-creation.
       */
      reservations: z.int().nonnegative(),
      /** The number of abandoned payments, which will be cancelled. */
      abandoned: z.int().nonnegative(),
    }),
    refusals: ['incomplete', ...serviceProcedures.findStores.refusals],
  }),

  /**
   * Puts the draft in use: writes the settings file (the previous one is kept beside it as
   * `settings.previous.json`), and opens the lanes again. Resolves when that has begun; the lane's
   * view shows the rest. `incomplete`: facts.step. `unconfirmed`: the point of sale would be
   * re-created, which is to be confirmed with `recreate` true after `consequences` was shown.
   * `reservations`: facts.count have to be settled first. `unsettledMoney`: the change would leave
   * a lane (facts.laneId) with facts.count unsettled payments. `beaconTaken`: another point of sale
   * has the beacon, of this or another merchant. `busy`: a payment is under way (facts.laneId).
   * `notWritable`: the settings file (facts.path) cannot be written. `settingsRefused`: the
   * settings break a rule together with the other lanes (`message`). `cannotOpen`: the lanes could
   * not be opened with them (`message`), and the previous settings are in use again.
   */
  finishSetup: procedure({
    who: 'installer',
    input: z.object({ recreate: z.boolean().default(false) }),
    output: z.object({
      laneId: z.string(),
      /**
       * The code with which this counter's first manager is made; null when there is one already.
       */
      firstManagerCode: z.string().nullable(),
      /** As in the draft. */
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
   * Removes a lane. `deletePointOfSale`: its point of sale is to be deleted at the service, so that
   * nobody can check in with a sticker that is left. That is noted on disk, and done by the
   * procedure `deletePointOfSale`. Refused as `finishSetup` is. `lastLane`: a counter has at least
   * one lane.
   */
  removeLane: procedure({
    who: 'installer',
    input: z.object({ laneId: z.string().max(12), deletePointOfSale: z.boolean().default(false) }),
    output: z.object({}),
    refusals: ['lastLane', 'unsettledMoney', 'notWritable', 'cannotOpen'],
    records: ({ laneId, deletePointOfSale }) => ({ subject: laneId, deletePointOfSale }),
  }),

  /**
   * Deletes one of `setupState`'s `leftBehind` at the service. When that is refused, it stays in
   * the list. `reservations`: facts.count of its payments have reserved money. `posTaken`: lane
   * facts.laneId uses it again. `otherService`: it is at facts.host, which is no longer in use
   * here.
   */
  deletePointOfSale: procedure({
    who: 'installer',
    input: z.object({ merchantPosId: z.string().max(36) }),
    output: z.object({}),
    refusals: [
      'posTaken',
      'otherService',
      'reservations',
      'secretMissing',
      ...serviceProcedures.findStores.refusals,
    ],
    records: ({ merchantPosId }) => ({ subject: merchantPosId }),
  }),

  /**
   * Leaves one of `leftBehind` at the service, and removes it from the list. `posTaken`: as for
   * `deletePointOfSale`.
   */
  keepPointOfSale: procedure({
    who: 'installer',
    input: z.object({ merchantPosId: z.string().max(36) }),
    output: z.object({}),
    refusals: ['posTaken'],
    records: ({ merchantPosId }) => ({ subject: merchantPosId }),
  }),

  /** A lane's settings as a file to keep or to carry to another counter. Without secrets. */
  exportLane: procedure({
    who: 'installer',
    input: z.object({ laneId: z.string().max(12) }),
    output: FileOffer,
    refusals: [],
  }),

  /**
   * Makes the text of such a file the draft. `missing`: what has to be filled in here, because
   * secrets are not in the file, and the serial port or the address of the HTTP API may differ.
   * `notALane`: the text is not such a file. A mistake in it is refused as `invalid`, with its
   * place in `message`.
   */
  importLane: procedure({
    who: 'installer',
    input: z.object({ text: z.string().max(50_000) }),
    output: z.object({
      draft: Draft,
      missing: z.array(
        z.enum([
          'clientSecret',
          'serialPort',
          'tillPassword',
          'tillAddress',
          'tillToken',
          'tillPassphrase',
        ]),
      ),
    }),
    refusals: ['notALane'],
  }),

  /**
   * A PDF in A4 with six stickers and cut marks: the QR code in its physical size (50 mm), or the
   * phone symbol without a code, above the name of the point of sale. `hold`: the text beside the
   * phone symbol of a sticker for NFC or Bluetooth, in the installer's language. `notOpen`: the
   * lane was not open since the start, so that its beacon is not known.
   */
  stickerSheet: procedure({
    who: 'installer',
    input: z.object({
      laneId: z.string().max(12),
      hold: z
        .string()
        .regex(/^[\x20-\x7e\xa0-\xff]{1,60}$/, 'must be 1 to 60 characters of Latin-1'),
    }),
    output: FileOffer,
    refusals: ['notOpen'],
  }),
} as const;
