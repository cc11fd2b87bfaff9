/**
 * The choices for this computer's windows, which the desktop app keeps on it. They contain neither
 * settings of the daemon nor secrets.
 */
import { z } from 'zod';
import { languages } from '../../main/core/domain/languages.ts';
import { maxWindows, screenKeyboards, windowScreens } from './plain.ts';
import { UpdateRow } from './health.ts';
import { procedure } from './procedure.ts';

/** Identifies a display after it was unplugged, got another resolution or lost the first place. */
const DisplayIdentity = z.object({
  /** The system's id of the display; a few systems give another one at another socket. */
  id: z.number(),
  /** The display's name; '' when the system does not tell. */
  label: z.string().max(200),
});
export type DisplayIdentity = z.infer<typeof DisplayIdentity>;

const ChosenWindow = z.object({
  screen: z.enum(windowScreens),
  /** null for the first lane. */
  laneId: z.string().min(1).max(36).nullable(),
  /** null for the main display, or a free one for a customer's screen. */
  display: DisplayIdentity.nullable(),
});
export type ChosenWindow = z.infer<typeof ChosenWindow>;

/** Minutes since midnight, by this computer's clock. */
const MinuteOfDay = z.int().min(0).max(1439);

const UpdateChannel = z.enum(['stable', 'beta']);

export const ThisPcChoices = z.object({
  /** Empty for `usualWindows`. */
  windows: z
    .array(ChosenWindow)
    .max(maxWindows)
    .refine(
      (windows) => windows.length === 0 || windows.some(({ screen }) => screen !== 'customer'),
      'must show more than the customer’s screen',
    ),
  /** Whether windows fill their displays, and no key leaves or closes them. */
  kiosk: z.boolean(),
  zoomPercent: z.int().min(50).max(200),
  /** null for the shop's language. */
  language: z.enum(languages).nullable(),
  sound: z.boolean(),
  /** The keyboard on the screen, for text fields. */
  screenKeyboard: z.enum(screenKeyboards),
  /** Whether the app starts when a user signs in to this computer. */
  autostart: z.boolean(),
  /**
   * Displays do not sleep from `fromMinute` until `untilMinute`, and never when both are the same.
   */
  awake: z.object({ fromMinute: MinuteOfDay, untilMinute: MinuteOfDay }),
  /**
   * Whether screens are drawn without the graphics card, from the next start on. The app sets it
   * itself when the card fails repeatedly.
   */
  softwareRendering: z.boolean(),
  /** The update channel of an app beside a daemon; null for the one that is set with its feed. */
  updateChannel: UpdateChannel.nullable(),
});
export type ThisPcChoices = z.infer<typeof ThisPcChoices>;

/** What Health says of the computer that shows the windows. */
export const computerNotices = ['keyStorePlain', 'windowsUnplaced', 'noSandbox'] as const;

const ThisPc = z.object({
  choices: ThisPcChoices,
  displays: z.array(
    DisplayIdentity.extend({ width: z.number(), height: z.number(), isMain: z.boolean() }),
  ),
  /** The windows without a display now, by their index in the choices. */
  waiting: z.array(z.int()),
  /** Whether the kiosk was left, until the next start. */
  isKioskLeft: z.boolean(),
  /** Whether the app can start by itself, which only an installed one can. */
  canAutostart: z.boolean(),
  /** Problems of this computer, in the words of the page Health. Missing without problems. */
  warnings: z.array(z.enum(computerNotices)).optional(),
  /**
   * Set when the windows are the screens of a separate daemon, about which the page Health then is.
   * `update` is null when the app does not update itself. Missing when the app takes the payments
   * itself.
   */
  app: z
    .object({
      version: z.string(),
      update: UpdateRow.nullable(),
      /**
       * The feed with its channel and pin, from `this-pc.json` or the daemon's settings; null when
       * neither names one.
       */
      feed: z
        .object({
          address: z.string(),
          from: z.enum(['thisPc', 'settings']),
          channel: UpdateChannel,
          pin: z.string().nullable(),
        })
        .nullable(),
    })
    .optional(),
});
export type ThisPc = z.infer<typeof ThisPc>;

/** Only the desktop app has these: the daemon refuses them as `notHere`. */
export const thisPcProcedures = {
  thisPc: procedure({ who: 'manager', input: z.object({}), output: ThisPc, refusals: [] }),
  /** Changes are stored and applied at once. Fields that are left out stay. */
  changeThisPc: procedure({
    who: 'manager',
    input: ThisPcChoices.partial(),
    output: ThisPc,
    refusals: [],
    records: (changed) => ({ ...changed }),
  }),
  /** Makes the windows ordinary ones until the next start. */
  leaveKiosk: procedure({
    who: 'manager',
    input: z.object({}),
    output: ThisPc,
    refusals: [],
    records: () => ({}),
  }),
  /**
   * Ends the app. It asks for confirmation at this computer while payments or refunds are under
   * way.
   */
  quitApp: procedure({
    who: 'manager',
    input: z.object({}),
    output: z.object({}),
    refusals: [],
    records: () => ({}),
  }),
} as const;
