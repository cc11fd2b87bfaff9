/** What this computer shows: kept on it by the desktop app. Settings of the daemon and secrets are elsewhere. */
import { z } from 'zod';
import { languages } from '../domain/languages.ts';

/** Enough to know a display again after it was unplugged, has another resolution or is no longer the first one. */
const DisplayIdentity = z.object({
  /** The system's own; a few systems give another one at another socket. */
  id: z.number(),
  /** What the display calls itself; '' where the system does not tell. */
  label: z.string().max(200),
});
export type DisplayIdentity = z.infer<typeof DisplayIdentity>;

const windowScreens = ['cashier', 'customer', 'manager'] as const;

const ChosenWindow = z.object({
  screen: z.enum(windowScreens),
  /** null: the first lane. */
  laneId: z.string().min(1).max(36).nullable(),
  /** null: the main display, or for a customer's screen one that is free. */
  display: DisplayIdentity.nullable(),
});
export type ChosenWindow = z.infer<typeof ChosenWindow>;

/** Minutes since midnight, by this computer's clock. */
const MinuteOfDay = z.int().min(0).max(1439);

export const ThisPcChoices = z.object({
  /** Empty: a cashier's screen and, on a second display, a customer's. */
  windows: z.array(ChosenWindow).max(8),
  /** Windows fill their display, and no key of a page leaves them. */
  kiosk: z.boolean(),
  zoomPercent: z.int().min(50).max(200),
  /** null: the shop's. */
  language: z.enum(languages).nullable(),
  sound: z.boolean(),
  /** The app starts when somebody signs in to this computer (Windows and macOS). */
  autostart: z.boolean(),
  /** Displays do not sleep from `fromMinute` until `untilMinute`; the same twice: they never sleep. */
  awake: z.object({ fromMinute: MinuteOfDay, untilMinute: MinuteOfDay }),
  /** Screens are drawn without the graphics card; switched on by the app itself where the card fails again and again. From the next start on. */
  softwareRendering: z.boolean(),
});
export type ThisPcChoices = z.infer<typeof ThisPcChoices>;
