/** Sign-in at this screen, and the managers of this counter. */
import { z } from 'zod';
import { oneLine, typed } from '../../main/core/domain/field-rules.ts';
import { type PinWeakness, pinWeakness } from './pin.ts';
import { procedure } from './procedure.ts';

const pinRules: Readonly<Record<PinWeakness, string>> = {
  repeated: 'must not repeat the same digits',
  run: 'must not count up or down',
  year: 'must not be a year',
};
/** The rules for a new PIN. A PIN that was chosen before these rules still works. */
const NewPin = z
  .string()
  .regex(/^\d{4,8}$/, 'must be 4 to 8 digits')
  .check(({ value, issues }) => {
    const weakness = pinWeakness(value);
    if (weakness !== null)
      issues.push({ code: 'custom', input: value, message: pinRules[weakness] });
  });
const ManagerName = typed(oneLine(40));
/**
 * A random secret that the screen's browser keeps. After a sign-in with it, wrong PINs of others do
 * not lock managers out at this screen.
 */
const ScreenToken = z.string().regex(/^[\w-]{22,64}$/);

/** A random secret of the page, which it makes for each time. */
const Ticket = z.string().regex(/^[\da-f]{64}$/);

export const sessionProcedures = {
  session: procedure({
    who: 'anyone',
    input: z.object({}),
    output: z.object({
      /** Empty for the cashier's and other screens at which nobody signs in. */
      managers: z.array(z.object({ managerId: z.uuid(), name: z.string() })),
      signedIn: z.object({ managerId: z.uuid(), name: z.string() }).nullable(),
      /** After this time without an action of the manager, the PIN is needed again. */
      signsOutAfterMs: z.int().positive(),
      /**
       * Path of the file with the one-time code that must be entered first; null when none is
       * needed.
       */
      codeFile: z.string().nullable(),
    }),
    refusals: [],
  }),
  /** `wrongPin`: facts.triesLeft; `locked`: facts.seconds. */
  signIn: procedure({
    who: 'anyone',
    input: z.object({
      managerId: z.uuid(),
      pin: z.string().max(8),
      screenToken: ScreenToken.optional(),
    }),
    /** `hasWeakPin`: the PIN was chosen before the rules against weak ones. */
    output: z.object({ name: z.string(), hasWeakPin: z.boolean() }),
    refusals: ['wrongPin', 'locked'],
  }),
  /**
   * Enters the one-time code that is needed to create the first manager of a counter with settings.
   * It is in the log and in the data folder. `wrongCode`: facts.triesLeft; `locked`: facts.seconds.
   */
  enterCode: procedure({
    who: 'anyone',
    input: z.object({ code: z.string().max(20) }),
    output: z.object({}),
    refusals: ['wrongCode', 'locked'],
  }),
  /**
   * Passes the sign-in on to the next page of the same window: it takes the ticket over, once and
   * within seconds. This page's sign-in ends with that. Neither page puts the ticket into an
   * address, which others could read. The page makes it, because it may be gone before an answer
   * comes.
   */
  passOn: procedure({
    who: 'manager',
    input: z.object({ ticket: Ticket }),
    output: z.object({}),
    refusals: [],
  }),
  /**
   * `notFound`: the ticket was used, is too old, or there was none; a manager types the PIN then.
   */
  takeOver: procedure({
    who: 'anyone',
    input: z.object({ ticket: Ticket }),
    output: z.object({}),
    refusals: [],
  }),
  signOut: procedure({ who: 'anyone', input: z.object({}), output: z.object({}), refusals: [] }),
  /** Restarts the time after which the PIN is needed again, because somebody touched the screen. */
  stillHere: procedure({
    who: 'installer',
    input: z.object({}),
    output: z.object({}),
    refusals: [],
  }),
  /** Creates a manager. A counter's first manager is signed in with it. */
  addManager: procedure({
    who: 'installer',
    input: z.object({ name: ManagerName, pin: NewPin, screenToken: ScreenToken.optional() }),
    output: z.object({ managerId: z.uuid() }),
    refusals: ['nameTaken'],
    records: ({ name }) => ({ name }),
  }),
  changePin: procedure({
    who: 'manager',
    input: z.object({ managerId: z.uuid(), pin: NewPin }),
    output: z.object({}),
    refusals: [],
    records: ({ managerId }) => ({ subject: managerId }),
  }),
  removeManager: procedure({
    who: 'manager',
    input: z.object({ managerId: z.uuid() }),
    output: z.object({}),
    refusals: ['lastManager'],
    records: ({ managerId }) => ({ subject: managerId }),
  }),
} as const;
