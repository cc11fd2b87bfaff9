/** The state of this counter, and the diagnostics file for support. */
import { z } from 'zod';
import { noticeCodes } from '../../main/domain/notices.ts';
import { notReadyReasons } from '../../main/domain/reasons.ts';
import { tillLinks } from '../../main/domain/till-links.ts';
import { ServiceKind, Unsettled } from './lane.ts';
import { FileOffer, procedure } from './procedure.ts';

/** attention: works, but somebody should look. broken: does not work until somebody does. */
const HealthState = z.enum(['ok', 'attention', 'broken']);
export type HealthState = z.infer<typeof HealthState>;

const Row = z.object({ state: HealthState });
/** A row about one lane. */
const LaneRow = Row.extend({ laneId: z.string(), laneName: z.string() });
/** Text of the service or the system. */
const Detail = z.string().nullable();
/** A program that updates itself. `version` is the newer one; null when none is known. */
export const UpdateRow = Row.extend({
  code: z.enum(['upToDate', 'downloading', 'waiting', 'failed', 'takenBack']),
  version: z.string().nullable(),
  detail: Detail,
});
export type UpdateRow = z.infer<typeof UpdateRow>;

export const Health = z.object({
  atMs: z.number(),
  /** The service as its last answers show it. `silent`: the latest request was not answered, which alone does not mean that the service is away. */
  service: Row.extend({
    code: z.enum(['reachable', 'silent', 'unreachable', 'notAsked', 'notSetUp']),
    /** Since when the state is what `code` says. */
    sinceMs: z.number().nullable(),
    lastAnswerMs: z.number().nullable(),
    detail: Detail,
    /** Outages since the daemon started, the newest last; `untilMs` is null while one lasts. */
    outages: z.array(z.object({ fromMs: z.number(), untilMs: z.number().nullable(), detail: z.string() })).max(20),
    kind: ServiceKind,
  }),
  credentials: Row.extend({ code: z.enum(['accepted', 'refused', 'notTried']), detail: Detail }),
  /** This computer's clock, by the service's answers; missing when it is right, or nothing was answered yet. */
  clock: Row.extend({ code: z.enum(['ahead', 'behind']), seconds: z.int().positive() }).optional(),
  lanes: z.array(LaneRow.extend({ code: z.enum(['open', ...notReadyReasons]), detail: Detail })),
  tills: z.array(LaneRow.extend({ code: z.enum(tillLinks), address: z.string(), detail: Detail, sinceMs: z.number(), heardAtMs: z.number().nullable() })),
  disk: Row.extend({ code: z.enum(['enough', 'low', 'full', 'unknown']), freeBytes: z.number().nullable(), totalBytes: z.number().nullable() }),
  journal: Row.extend({
    code: z.enum(['whole', 'repaired', 'salesLost', 'damaged', 'cannotWrite']),
    bytes: z.number(),
    /** Space that is released when the disk is full, so that payments under way can be finished; allocated with the first sale. */
    reserve: z.boolean(),
    /** When it was read from the first to the last line; null when that was not finished since the start. */
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
  /** Missing when this daemon does not update itself. */
  update: UpdateRow.optional(),
  /** Added by an app whose windows are the screens of this daemon. Missing when a browser asks, or when the app does not update itself. */
  appUpdate: UpdateRow.optional(),
  /** Attempted misuse and missing protections, newest first; see `main/domain/notices.ts`. */
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
  /** Money whose end is decided and not confirmed. */
  unsettled: z.array(LaneRow.extend({ money: Unsettled })),
});
export type Health = z.infer<typeof Health>;

/** @param status as its updater says it */
export function updateRow({ state: code, version, detail }: Omit<UpdateRow, 'state' | 'code'> & { readonly state: UpdateRow['code'] }): UpdateRow {
  return { state: code === 'failed' || code === 'takenBack' ? 'attention' : 'ok', code, version, detail };
}

const TillRecording = z.object({ untilMs: z.number().nullable() });

export const healthProcedures = {
  /** `ask`: the service is asked now, which takes some seconds where it does not answer. */
  health: procedure({ who: 'manager', input: z.object({ ask: z.boolean().default(false) }), output: Health, refusals: [] }),
  /** Ends the warnings about repaired damage on every screen. `damagedMs`: the damage that was shown. */
  damageNoted: procedure({
    who: 'manager',
    input: z.object({ damagedMs: z.int() }),
    output: z.object({}),
    refusals: [],
    records: ({ damagedMs }) => ({ subject: String(damagedMs) }),
  }),
  /** Until when a manager has the tills' lines recorded; null when not. */
  tillRecording: procedure({ who: 'manager', input: z.object({}), output: TillRecording, refusals: [] }),
  /** Begins recording for a day from now on, or ends it. */
  recordTills: procedure({
    who: 'manager',
    input: z.object({ on: z.boolean() }),
    output: TillRecording,
    refusals: [],
    records: ({ on }) => ({ on }),
  }),
  /** What the bundle would hold now, to be shown before it is made. */
  diagnosticsContents: procedure({
    who: 'manager',
    input: z.object({}),
    output: z.object({
      logLines: z.int().nonnegative(),
      /** Payments of the journal's extract, and from when on it is. */
      sales: z.int().nonnegative(),
      fromMs: z.number(),
    }),
    refusals: [],
  }),
  diagnostics: procedure({ who: 'manager', input: z.object({}), output: FileOffer, refusals: [], records: () => ({}), readOnly: true }),
} as const;
