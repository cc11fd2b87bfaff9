/** The state of this counter, and the diagnostics file for support. */
import { z } from 'zod';
import { proxyProblems } from '../../main/core/domain/network-settings.ts';
import { noticeCodes } from '../../main/core/domain/notices.ts';
import { notReadyReasons } from '../../main/core/domain/reasons.ts';
import { portClaimers, tillLinks } from '../../main/core/domain/till-links.ts';
import { ServiceKind, Unsettled } from './lane.ts';
import { FileOffer, procedure } from './procedure.ts';

/** attention: it works, but should be checked. broken: it does not work until a person acts. */
const HealthState = z.enum(['ok', 'attention', 'broken']);
export type HealthState = z.infer<typeof HealthState>;

const Row = z.object({ state: HealthState });
/** A row about one lane. */
const LaneRow = Row.extend({ laneId: z.string(), laneName: z.string() });
/** A text of the service or the system. */
const Detail = z.string().nullable();
/** A program that updates itself. `version` is the newer one; null when none is known. */
export const UpdateRow = Row.extend({
  code: z.enum(['upToDate', 'downloading', 'waiting', 'failed', 'expired', 'takenBack']),
  version: z.string().nullable(),
  detail: Detail,
});
export type UpdateRow = z.infer<typeof UpdateRow>;

/**
 * What starts the daemon, as far as it can see: the computer's start, a user's sign-in, or nothing.
 * `system` decides how that is changed.
 */
export const Starts = z.object({
  with: z.enum(['computer', 'signIn', 'nothing']),
  system: z.enum(['linux', 'windows', 'other']),
});
export type Starts = z.infer<typeof Starts>;

export const Health = z.object({
  atMs: z.number(),
  /**
   * The service, by its last answers. `silent`: the latest request was not answered, which alone
   * does not mean that the service is away. `proxy…`: the proxy let the latest request through to
   * nobody.
   */
  service: Row.extend({
    code: z.enum(['reachable', 'silent', 'unreachable', ...proxyProblems, 'notAsked', 'notSetUp']),
    /** Since when `code` holds. */
    sinceMs: z.number().nullable(),
    lastAnswerMs: z.number().nullable(),
    detail: Detail,
    /** Outages since the daemon started, the newest last; `untilMs` is null while one lasts. */
    outages: z
      .array(z.object({ fromMs: z.number(), untilMs: z.number().nullable(), detail: z.string() }))
      .max(20),
    kind: ServiceKind,
  }),
  credentials: Row.extend({ code: z.enum(['accepted', 'refused', 'notTried']), detail: Detail }),
  /**
   * This computer's clock, compared with the service's answers; missing when it is not known to be
   * wrong. `wrong`: it shows a time that cannot be, and the service has told none; `seconds` is
   * null then.
   */
  clock: Row.extend({
    code: z.enum(['ahead', 'behind', 'wrong']),
    seconds: z.int().positive().nullable(),
  }).optional(),
  lanes: z.array(LaneRow.extend({ code: z.enum(['open', ...notReadyReasons]), detail: Detail })),
  tills: z.array(
    LaneRow.extend({
      code: z.enum(tillLinks),
      address: z.string(),
      detail: Detail,
      /** The program that took the port by itself; missing for any other, or none. */
      claimer: z.enum(portClaimers).optional(),
      sinceMs: z.number(),
      heardAtMs: z.number().nullable(),
    }),
  ),
  disk: Row.extend({
    code: z.enum(['enough', 'low', 'full', 'unknown']),
    freeBytes: z.number().nullable(),
    totalBytes: z.number().nullable(),
  }),
  journal: Row.extend({
    code: z.enum(['whole', 'repaired', 'salesLost', 'damaged', 'cannotWrite']),
    bytes: z.number(),
    /**
     * Space that is released when the disk is full, so that payments under way can be finished;
     * allocated with the first sale.
     */
    reserve: z.boolean(),
    /**
     * When the journal was last read completely; null when that was not finished since the start.
     */
    checkedMs: z.number().nullable(),
    /** When damage was found. */
    damagedMs: z.number().nullable(),
    lostSales: z.int().nonnegative(),
    detail: Detail,
  }),
  software: Row.extend({
    code: z.enum(['running']),
    version: z.string(),
    node: z.string(),
    electron: z.string().nullable(),
    platform: z.string(),
    startedMs: z.number(),
    memoryBytes: z.number(),
  }),
  /** Missing where it cannot be seen, and in a demonstration that nothing starts. */
  starts: Row.extend(Starts.shape).optional(),
  /** Missing when this daemon does not update itself. */
  update: UpdateRow.optional(),
  /**
   * Added by an app whose windows are the screens of this daemon. Missing when a browser asks, or
   * when the app does not update itself.
   */
  appUpdate: UpdateRow.optional(),
  /** Attempted misuse and missing protections, newest first; see `main/core/domain/notices.ts`. */
  notices: z.array(
    Row.extend({
      code: z.enum(noticeCodes),
      subject: z.string(),
      detail: Detail,
      count: z.int().positive(),
      firstMs: z.number(),
      lastMs: z.number(),
    }),
  ),
  /** Money that is decided and not confirmed by the service. */
  unsettled: z.array(LaneRow.extend({ money: Unsettled })),
});
export type Health = z.infer<typeof Health>;

/** The row of a program that updates itself, from its updater's status. */
export function updateRow({
  state: code,
  version,
  detail,
}: Omit<UpdateRow, 'state' | 'code'> & { readonly state: UpdateRow['code'] }): UpdateRow {
  return {
    state: ['failed', 'expired', 'takenBack'].includes(code) ? 'attention' : 'ok',
    code,
    version,
    detail,
  };
}

const TillRecording = z.object({ untilMs: z.number().nullable() });

export const healthProcedures = {
  /**
   * `ask`: also sends a request to the service, which takes some seconds when it does not answer.
   */
  health: procedure({
    who: 'manager',
    input: z.object({ ask: z.boolean().default(false) }),
    output: Health,
    refusals: [],
  }),
  /**
   * Ends the warnings about repaired damage on every screen. `damagedMs`: the damage that was
   * shown.
   */
  damageNoted: procedure({
    who: 'manager',
    input: z.object({ damagedMs: z.int() }),
    output: z.object({}),
    refusals: [],
    records: ({ damagedMs }) => ({ subject: String(damagedMs) }),
  }),
  /** Until when the tills' lines are recorded for a manager; null when they are not. */
  tillRecording: procedure({
    who: 'manager',
    input: z.object({}),
    output: TillRecording,
    refusals: [],
  }),
  /** Begins recording for a day from now on, or ends it. */
  recordTills: procedure({
    who: 'manager',
    input: z.object({ on: z.boolean() }),
    output: TillRecording,
    refusals: [],
    records: ({ on }) => ({ on }),
  }),
  /** What the diagnostics bundle would contain now, to be shown before it is made. */
  diagnosticsContents: procedure({
    who: 'manager',
    input: z.object({}),
    output: z.object({
      logLines: z.int().nonnegative(),
      /** Payments in the extract of the journal. */
      sales: z.int().nonnegative(),
      /** The beginning of the extract. */
      fromMs: z.number(),
    }),
    refusals: [],
  }),
  diagnostics: procedure({
    who: 'manager',
    input: z.object({}),
    output: FileOffer,
    refusals: [],
    records: () => ({}),
    readOnly: true,
  }),
} as const;
