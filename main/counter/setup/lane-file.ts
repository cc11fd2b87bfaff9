/** A lane's settings as a file: to keep, or to carry to another counter. Without secrets. */
import { z } from 'zod';
import { Refusal } from '../../../preload/procedures/procedure.ts';
import {
  Language,
  PointOfSaleInput,
  httpWith,
  SalesUnitInput,
  ServiceInput,
  StoreInput,
  tillWith,
} from '../../../preload/procedures/setup-fields.ts';
import type { Settings } from '../settings/schema.ts';
import { type Draft, draftOf, emptyDraft, type DraftWallet } from './draft.ts';
import {
  settingsOutsideSetup,
  type DraftTill,
  draftApi,
  draftTill,
  outsideSetup,
} from './draft-till.ts';

const LaneFile = z.strictObject({
  tillbeacon: z.literal('lane'),
  version: z.literal(1),
  language: Language.nullable(),
  wallet: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('simulator') }),
    ServiceInput.omit({ clientSecret: true, reportingKey: true }),
    SalesUnitInput.omit({ clientSecret: true, subscriptionKey: true }).extend({
      code: z.enum(['picture', 'text']).default('picture'),
    }),
  ]),
  /** null for a service without stores. */
  store: StoreInput.nullable(),
  pointOfSale: PointOfSaleInput,
  till: tillWith(
    { hasPassword: z.boolean().default(false), ...settingsOutsideSetup },
    httpWith({}),
  ),
  checkInFirst: z.boolean().default(false),
});

function withoutSecrets(wallet: z.infer<typeof LaneFile>['wallet']): DraftWallet {
  if (wallet.kind === 'simulator') return wallet;
  if (wallet.kind === 'service')
    return { ...wallet, clientSecret: null, reportingKey: null, provenAtMs: null };
  return {
    ...wallet,
    clientSecret: null,
    subscriptionKey: null,
    secondSubscriptionKey: null,
    provenAtMs: null,
  };
}

/** @throws Refusal notFound */
export function exportLane(
  settings: Settings | null,
  laneId: string,
): { name: string; type: string; content: Uint8Array } {
  const lane = settings?.lanes.find(({ id }) => id === laneId);
  if (settings === null || lane === undefined)
    throw new Refusal('notFound', `there is no lane ${laneId}`);
  const { language, wallet, store, pointOfSale, till } = draftOf(settings, laneId);
  // The schema drops everything it does not name, above all the secrets.
  const file = LaneFile.parse({
    tillbeacon: 'lane',
    version: 1,
    language,
    wallet,
    store,
    pointOfSale,
    till: till && {
      ...till,
      ...(till.transport !== 'http' && { hasPassword: till.password !== null }),
    },
    checkInFirst: lane.checkInFirst,
  });
  return {
    name: `lane-${laneId}.json`,
    type: 'application/json',
    content: Buffer.from(`${JSON.stringify(file, null, 2)}\n`),
  };
}

/**
 * The lane that it describes; one in use with the same point of sale is changed by it, and keeps
 * its till's password.
 * @throws Refusal notALane, invalid
 */
export function importLane(
  text: string,
  settings: Settings | null,
): { draft: Draft; hadPassword: boolean } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Refusal('notALane', 'the file is not JSON');
  }
  if (!z.looseObject({ tillbeacon: z.literal('lane') }).safeParse(json).success)
    throw new Refusal('notALane', 'the file is no exported lane');
  const parsed = LaneFile.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Refusal('invalid', `${issue?.path.join('.') || 'file'}: ${issue?.message}`, {
      field: 'text',
    });
  }
  const { language, wallet, store, pointOfSale, till, checkInFirst } = parsed.data;
  const lanes = settings?.lanes ?? [];
  const same = lanes.find((lane) => lane.pointOfSale.merchantPosId === pointOfSale.merchantPosId);
  const laneId =
    same === undefined && lanes.some(({ id }) => id === pointOfSale.laneId)
      ? null
      : pointOfSale.laneId;
  const before = same && draftTill(same.till);
  const draft: Draft = {
    ...emptyDraft,
    laneId: same?.id ?? null,
    language: language ?? settings?.language ?? null,
    wallet: withoutSecrets(wallet),
    store,
    pointOfSale: { ...pointOfSale, laneId },
    till: tillFrom(till, before ?? null, settings),
    checkInFirst,
    unheard: same === undefined,
  };
  return { draft, hadPassword: till.transport !== 'http' && till.hasPassword };
}

/** A counter with tills that are programs has its own place for them already. */
function tillFrom(
  till: z.infer<typeof LaneFile>['till'],
  before: DraftTill | null,
  settings: Settings | null,
): DraftTill {
  if (till.transport !== 'http') {
    const { hasPassword: _, ...line } = till;
    return {
      ...outsideSetup(before),
      ...line,
      password: before === null || before.transport === 'http' ? null : before.password,
    };
  }
  const known = before?.transport === 'http' ? (before.nexo?.key?.passphrase ?? null) : null;
  const nexo = till.nexo && {
    ...till.nexo,
    key: till.nexo.key && { ...till.nexo.key, passphrase: known },
  };
  const hasOthers = settings?.lanes.some((lane) => lane.till.protocol === 'http') === true;
  const { names, ...api } = hasOthers
    ? { ...draftApi(settings?.api), names: settings?.api?.names ?? [] }
    : { ...till, names: [] };
  return { ...api, transport: 'http', nexo, names };
}
