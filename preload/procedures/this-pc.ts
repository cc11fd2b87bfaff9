/** What this computer shows: kept on it by the desktop app. Settings of the daemon and secrets are elsewhere. */
import { z } from 'zod';
import { languages } from '../../main/domain/languages.ts';
import { mostWindows, screenKeyboards, windowScreens } from './plain.ts';
import { UpdateRow } from './health.ts';
import { procedure } from './procedure.ts';

/** Enough to know a display again after it was unplugged, has another resolution or is no longer the first one. */
const DisplayIdentity = z.object({
  /** The system's own; a few systems give another one at another socket. */
  id: z.number(),
  /** What the display calls itself; '' where the system does not tell. */
  label: z.string().max(200),
});
export type DisplayIdentity = z.infer<typeof DisplayIdentity>;

const ChosenWindow = z.object({
  screen: z.enum(windowScreens),
  /** null for the first lane. */
  laneId: z.string().min(1).max(36).nullable(),
  /** null for the main display, or for a customer's screen one that is free. */
  display: DisplayIdentity.nullable(),
});
export type ChosenWindow = z.infer<typeof ChosenWindow>;

/** Minutes since midnight, by this computer's clock. */
const MinuteOfDay = z.int().min(0).max(1439);

const UpdateChannel = z.enum(['stable', 'beta']);

export const ThisPcChoices = z.object({
  /** Empty: `usualWindows`. */
  windows: z
    .array(ChosenWindow)
    .max(mostWindows)
    .refine((windows) => windows.length === 0 || windows.some(({ screen }) => screen !== 'customer'), 'must show more than the customer’s screen'),
  /** Windows fill their display, and no key leaves or closes them. */
  kiosk: z.boolean(),
  zoomPercent: z.int().min(50).max(200),
  /** null for the shop's language. */
  language: z.enum(languages).nullable(),
  sound: z.boolean(),
  /** The keyboard on the screen, for text fields. */
  screenKeyboard: z.enum(screenKeyboards),
  /** The app starts when somebody signs in to this computer. */
  autostart: z.boolean(),
  /** Displays do not sleep from `fromMinute` until `untilMinute`; the same twice: they never sleep. */
  awake: z.object({ fromMinute: MinuteOfDay, untilMinute: MinuteOfDay }),
  /** Screens are drawn without the graphics card; switched on by the app itself where the card fails again and again. From the next start on. */
  softwareRendering: z.boolean(),
  /** Of newer versions of an app beside a daemon; null: as where its feed is named. */
  updateChannel: UpdateChannel.nullable(),
});
export type ThisPcChoices = z.infer<typeof ThisPcChoices>;

const ThisPc = z.object({
  choices: ThisPcChoices,
  displays: z.array(DisplayIdentity.extend({ width: z.number(), height: z.number(), isMain: z.boolean() })),
  /** Windows that have no display now, by their place in the choices. */
  waiting: z.array(z.int()),
  /** Somebody has left the kiosk, until the next start. */
  isKioskLeft: z.boolean(),
  /** Only what is installed can start by itself. */
  canAutostart: z.boolean(),
  /**
   * Where the windows are the screens of a daemon: Health is about that one. `update` null when the app does not update itself; missing when the payments are
   * the app's own.
   */
  app: z
    .object({
      version: z.string(),
      update: UpdateRow.nullable(),
      /** `channel` and `pin` as they are where the feed is named: in `this-pc.json`, or in the daemon's settings. null: none is. */
      feed: z.object({ address: z.string(), from: z.enum(['thisPc', 'settings']), channel: UpdateChannel, pin: z.string().nullable() }).nullable(),
    })
    .optional(),
});
export type ThisPc = z.infer<typeof ThisPc>;

/** Only the desktop app has these: the daemon refuses them as `notHere`. */
export const thisPcProcedures = {
  thisPc: procedure({ who: 'manager', input: z.object({}), output: ThisPc, refusals: [] }),
  /** Kept and applied at once; what is left out stays. */
  changeThisPc: procedure({
    who: 'manager',
    input: ThisPcChoices.partial(),
    output: ThisPc,
    refusals: [],
    records: (changed) => ({ ...changed }),
  }),
  /** Windows become as any other program's, until the next start. */
  leaveKiosk: procedure({ who: 'manager', input: z.object({}), output: ThisPc, refusals: [], records: () => ({}) }),
  /** Ends the app; it asks at this computer first while money is under way. */
  quitApp: procedure({ who: 'manager', input: z.object({}), output: z.object({}), refusals: [], records: () => ({}) }),
} as const;
