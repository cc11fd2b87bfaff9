/** Opens a counter from the settings: the wallet service and its lanes. */
import { isDeepStrictEqual } from 'node:util';
import type { ServiceKind } from '../../../preload/contract.ts';
import { openSerialWire } from '../devices/serial-port.ts';
import type { Cancel } from '../../core/domain/clock.ts';
import type { DayBook } from '../../core/domain/day.ts';
import type { Notices } from '../../core/domain/notices.ts';
import type { ServiceName } from '../../core/domain/sale.ts';
import { stickerId } from '../../core/domain/stickers.ts';
import type { Language } from '../../core/domain/languages.ts';
import type { ShopOnPaper } from '../../core/domain/shop.ts';
import type { Journal } from '../../core/journal/journal.ts';
import type { ManagerRecords } from '../../core/journal/manager-records.ts';
import { Lane } from '../../core/lane/lane.ts';
import type { DamageShown, LaneSnapshot } from '../../core/lane/snapshot.ts';
import type { Demo } from '../../sandbox/demo/demo.ts';
import type { ReadySettings } from '../settings/load.ts';
import { Closings } from '../manager/day/day-book.ts';
import { type LaneSettings, shopOnPaper } from '../settings/schema.ts';
import type { Recreations } from '../setup/recreation.ts';
import type { Monitoring } from '../monitoring/monitoring.ts';
import type { HttpCounter } from '../../tills/http/lane.ts';
import type { NexoLane } from '../../tills/nexo/protocol.ts';
import type { Till } from '../../core/lane/till-port.ts';
import { protocolOf } from '../../tills/protocols.ts';
import type { LaneFact, TillContext } from '../../tills/till-protocol.ts';
import { referenceOf } from '../../wallets/epayment/point-of-sale/epayment-names.ts';
import { providerOf } from '../../wallets/wallet-providers.ts';
import type { ServiceMonitor } from '../../wallets/http/service-monitor.ts';
import { isSameCounter } from './live-settings.ts';
import type { ReaderOnce } from './parts.ts';
import { listenToScanners } from './scanners.ts';
import type { StickerRecords } from './sticker-records.ts';
import { followStickers } from './stickers.ts';
import { serviceKind, warnUnchecked } from './service-kind.ts';
import type { System } from './system.ts';
import type { TerminalIds } from './terminal-ids.ts';
import type { TillLanguages } from './till-languages.ts';
import type { TillRecordings } from './till-recordings.ts';
import { terminalVersion } from './version.ts';
import { openWalletService, type WalletService } from './wallet-service.ts';

export interface Counter extends WalletService {
  readonly settings: ReadySettings;
  /** The shop as receipts and closing reports name it. */
  readonly shop: ShopOnPaper;
  readonly lanes: readonly Lane[];
  /** Lanes whose till is a program, by their ids. */
  readonly httpCounters: ReadonlyMap<string, HttpCounter>;
  /** The lanes of `httpCounters` whose till speaks Nexo. */
  readonly nexoLanes: readonly NexoLane[];
  readonly service: ServiceKind;
  readonly demo: Demo | null;
  /** Resolves when every lane takes payments; rejects when one never will. */
  readonly ready: Promise<void>;
  /**
   * Takes other settings over where that can be: lanes whose settings stay the same stay open, with
   * their tills. @returns false when nothing was changed, and a new counter is needed. @throws when
   * a lane cannot be opened: then the counter has to be closed
   */
  adjust(next: ReadySettings): Promise<boolean>;
  close(): Promise<void>;
}

/** Parts that a counter uses and does not own. */
export interface CounterParts extends System {
  readonly journal: Journal & ManagerRecords;
  readonly journalReader: ReaderOnce;
  readonly journalDamage: () => DamageShown | null;
  readonly changed: (laneId: string) => void;
  readonly serviceMonitor: ServiceMonitor;
  /** Whether it is known what time it is. */
  readonly isTimeKnown: () => boolean;
  readonly notices: Notices;
  /** Points of sale that are to be created anew, or null. */
  readonly recreations: Recreations | null;
  /** null when none are recorded. */
  readonly madeStickers: StickerRecords | null;
  /** null when nothing is recorded. */
  readonly recordings: TillRecordings | null;
  /** Without it, a language that a till chooses is forgotten with its counter. */
  readonly tillLanguages: TillLanguages | null;
  /** Without it, a lane has the id of its settings, or the default one. */
  readonly terminalIds: TerminalIds | null;
  /** Without it, nothing is measured. */
  readonly monitoring?: Pick<Monitoring, 'observerOf' | 'serviceCalled'>;
}

export interface CounterOptions {
  /** Whether a till and a phone to try are added; needs the embedded simulator. */
  readonly demo: boolean;
  /**
   * Where a simulated service keeps its state, so that it survives the process; null when it does
   * not.
   */
  readonly booksPath: string | null;
  /** What switches the checks of certificates off; null when nothing does. */
  readonly checksOff: string | null;
  /** See `LaneOptions`. */
  readonly leaveAfterMs?: number | undefined;
}

/**
 * Listens to every till when it resolves; `ready` follows. @throws Error in plain words when a
 * till's settings cannot work: nothing is open then
 */
export async function openCounter(
  first: ReadySettings,
  parts: CounterParts,
  options: CounterOptions,
): Promise<Counter> {
  let settings = first;
  let shop = shopOnPaper(settings);
  const wallet = await openWalletService(settings, parts, options.booksPath);
  const { simulator } = wallet;
  const demoModule = options.demo ? await import('../../sandbox/demo/demo.ts') : null;
  const dayBook = new Closings({
    ...parts,
    reader: parts.journalReader.get,
    lanes: () => settings.lanes,
    shop: () => shop,
  });
  const lanePlace = { ...wallet, dayBook };
  const paper: ShopNow = {
    get shop() {
      return shop;
    },
    get shopLanguage() {
      return settings.language;
    },
  };
  const httpCounters = new Map<string, HttpCounter>();
  const nexoLanes: NexoLane[] = [];
  const lanes: Lane[] = [];
  const openLane = async (laneSettings: ReadySettings['lanes'][number]): Promise<Lane> => {
    const { till, program } = await protocolOf(laneSettings.till).create(
      laneSettings.till,
      tillContext(laneSettings, settings, paper, wallet.inUse.name, parts),
    );
    const lane = createLane(laneSettings, till, lanePlace, parts, options);
    if (program !== undefined) {
      const counter = { lane: lane.tillRequests, till: program.till };
      httpCounters.set(laneSettings.id, counter);
      if (program.nexoLane !== undefined) nexoLanes.push(program.nexoLane(counter));
    }
    return lane;
  };
  for (const laneSettings of settings.lanes) lanes.push(await openLane(laneSettings));
  let stopAsking = askAlsoWhenQuiet(wallet, settings, parts.serviceMonitor);
  const stopTelling = parts.serviceMonitor.subscribe(() => {
    for (const lane of lanes) lane.serviceChanged();
  });
  const closeLanes = async (): Promise<void> => {
    await Promise.all(lanes.map((lane) => lane.close()));
    stopTelling();
    stopAsking();
  };
  await Promise.all(lanes.map((lane) => lane.listen())).catch(async (error: unknown) => {
    await closeLanes();
    await simulator?.stop();
    throw error;
  });
  let stopEnding = endLeftStickers(wallet, settings, parts);
  const ready = Promise.all(lanes.map((lane) => lane.enterService())).then(() => undefined);
  let endScanners = listenToScanners(settings, lanes, parts);
  const follow = (): Cancel =>
    followStickers(settings, lanes, simulator?.salesUnit.msn ?? null, parts);
  let stopFollowing = follow();
  const demo =
    demoModule !== null && simulator !== null
      ? demoModule.openDemo({ lanes: demoLanes(lanes, settings, wallet.inUse.name), simulator })
      : null;
  const stopDemo = demo?.subscribe(parts.changed);
  const service = serviceKind(settings, options.checksOff);
  const stopWarning =
    service === 'testUnchecked' ? warnUnchecked(settings, options.checksOff, parts) : () => {};

  /** Closes and opens lanes, until they are those of the settings. */
  async function replaceLanes(unchangedLanes: readonly Lane[]): Promise<void> {
    const gone = lanes.filter((lane) => !unchangedLanes.includes(lane));
    stopFollowing();
    stopEnding();
    // First, because a new lane may have the port of one that goes.
    await Promise.all([endScanners(), ...gone.map((lane) => lane.close())]);
    for (const { id } of gone) httpCounters.delete(id);
    nexoLanes.splice(
      0,
      nexoLanes.length,
      ...nexoLanes.filter(({ lane }) => unchangedLanes.some((one) => one.tillRequests === lane)),
    );
    const opened: Lane[] = [];
    const all: Lane[] = [];
    for (const laneSettings of settings.lanes) {
      const there = unchangedLanes.find(({ id }) => id === laneSettings.id);
      const lane = there ?? (await openLane(laneSettings));
      if (there === undefined) opened.push(lane);
      all.push(lane);
    }
    lanes.splice(0, lanes.length, ...all);
    await Promise.all(opened.map((lane) => lane.listen()));
    stopAsking();
    stopAsking = askAlsoWhenQuiet(wallet, settings, parts.serviceMonitor);
    stopEnding = endLeftStickers(wallet, settings, parts);
    endScanners = listenToScanners(settings, lanes, parts);
    stopFollowing = follow();
    void Promise.all(opened.map((lane) => lane.enterService()));
  }

  return {
    ...wallet,
    get settings() {
      return settings;
    },
    get shop() {
      return shop;
    },
    lanes,
    httpCounters,
    nexoLanes,
    service,
    demo,
    ready,
    async adjust(next) {
      if (demo !== null || !isSameCounter(settings, next)) return false;
      const isUnchanged = ({ id }: Lane): boolean =>
        isDeepStrictEqual(concernsOf(id, settings, parts), concernsOf(id, next, parts));
      const unchangedLanes = lanes.filter(isUnchanged);
      const isSame =
        unchangedLanes.length === lanes.length &&
        unchangedLanes.length === next.lanes.length &&
        unchangedLanes.every(({ id }, place) => id === next.lanes[place]?.id);
      settings = next;
      shop = shopOnPaper(next);
      if (!isSame) await replaceLanes(unchangedLanes);
      for (const lane of unchangedLanes)
        lane.wantCheckInFirst(next.lanes.find(({ id }) => id === lane.id)?.checkInFirst === true);
      return true;
    },
    async close() {
      stopEnding();
      stopFollowing();
      stopDemo?.();
      stopWarning();
      await Promise.all([closeLanes(), endScanners(), demo?.close()]);
      await simulator?.stop();
    },
  };
}

/** What a lane is made from; null for a lane that is not there. */
function concernsOf(laneId: string, settings: ReadySettings, parts: CounterParts): object | null {
  const lane = settings.lanes.find(({ id }) => id === laneId);
  if (lane === undefined) return null;
  const { checkInFirst: _live, ...rest } = lane;
  const facts: Readonly<Record<LaneFact, () => unknown>> = {
    terminalId: () => terminalIdOf(lane, settings, parts),
    shop: () => shopOnPaper(settings),
    language: () => settings.language,
  };
  const madeWith = protocolOf(lane.till).madeWith(lane.till);
  return { ...rest, madeWith: madeWith.map((fact) => facts[fact]()) };
}

/**
 * Ends the stickers that no lane has any more. A simulated service forgets its stickers when it
 * ends.
 */
function endLeftStickers(
  { inUse, former, simulator }: WalletService,
  { lanes }: ReadySettings,
  { madeStickers, notices, clock }: CounterParts,
): Cancel {
  if (simulator !== null || madeStickers === null) return () => {};
  const units = [inUse.stickers, former?.stickers].filter((unit) => unit !== undefined);
  const own =
    inUse.stickers === undefined
      ? []
      : lanes.flatMap(({ sticker }) => (sticker === undefined ? [] : stickerId(sticker)));
  return madeStickers.take({ inUse: own, units, notices, clock });
}

/**
 * Reads regularly for all lanes, which have one merchant. The monitor reports failures, which would
 * fill the log.
 */
function askAlsoWhenQuiet(
  { inUse }: WalletService,
  { lanes: [first] }: ReadySettings,
  serviceMonitor: ServiceMonitor,
): () => void {
  if (first === undefined) return () => {};
  return serviceMonitor.begin((signal) => inUse.isThere(first, signal));
}

/** The current shop, which may change while lanes are open. */
interface ShopNow {
  readonly shop: ShopOnPaper;
  readonly shopLanguage: Language | undefined;
}

function tillContext(
  lane: ReadySettings['lanes'][number],
  settings: ReadySettings,
  paper: ShopNow,
  service: ServiceName,
  parts: CounterParts,
): TillContext {
  const { id, name, currency } = lane;
  const { clock, log, notices, recordings, tillLanguages } = parts;
  return {
    laneId: id,
    laneName: name,
    currency,
    beacons: beaconsOf(lane, service),
    get shop() {
      return paper.shop;
    },
    get shopLanguage() {
      return paper.shopLanguage;
    },
    terminalId: () => terminalIdOf(lane, settings, parts),
    softwareVersion: terminalVersion,
    clock,
    log: log.child({ lane: id }),
    notices,
    openSerialWire,
    recording: (wanted) => recordings?.sink(id, wanted),
    keptLanguage: tillLanguages?.ofLane(id),
  };
}

/** The settings' own id first; other lanes get none of those. */
function terminalIdOf(
  { id, till }: Pick<LaneSettings, 'id'> & Pick<ReadySettings['lanes'][number], 'till'>,
  { lanes }: ReadySettings,
  { terminalIds }: CounterParts,
): string | undefined {
  const configuredId = ({
    till: one,
  }: Pick<ReadySettings['lanes'][number], 'till'>): string | undefined =>
    'terminalId' in one ? one.terminalId : undefined;
  return (
    configuredId({ till }) ??
    terminalIds?.ofLane(
      id,
      lanes.flatMap((lane) => configuredId(lane) ?? []),
    )
  );
}

/**
 * How a customer finds the counter. Where each payment has a code of its own, that is the only way.
 */
const beaconsOf = (
  { pointOfSale }: Pick<LaneSettings, 'pointOfSale'>,
  service: ServiceName,
): LaneSettings['pointOfSale']['beaconTypes'] =>
  providerOf({ service }).capabilities.codePerPayment ? ['QR'] : pointOfSale.beaconTypes;

/** What the lanes of a counter share. */
type LanePlace = WalletService & { readonly dayBook: DayBook };

function createLane(
  settings: LaneSettings,
  till: Till,
  { inUse, former, dayBook }: LanePlace,
  parts: CounterParts,
  { leaveAfterMs }: CounterOptions,
): Lane {
  const {
    id,
    name,
    currency,
    flow,
    deadlineSeconds,
    checkInFirst,
    plannedCaptureDelay,
    sticker,
    customerTypesNumber,
    pointOfSale,
  } = settings;
  const {
    clock,
    ids,
    log,
    journal,
    journalDamage,
    changed,
    serviceMonitor: service,
    isTimeKnown,
    monitoring,
  } = parts;
  const formerWallet = former?.counterOf(settings);
  return new Lane({
    settings: {
      id,
      name,
      currency,
      flow,
      beacons: beaconsOf(settings, inUse.name),
      deadlineMs: deadlineSeconds * 1000,
      checkInFirst,
      typesNumber: customerTypesNumber,
      ...(sticker !== undefined && {
        sticker: { needsPayment: pointOfSale.requirePaymentBeforeCheckin },
      }),
      ...(plannedCaptureDelay !== 'None' && { plannedCaptureDelay }),
    },
    till,
    wallet: inUse.counterOf(settings),
    ...(formerWallet !== undefined && { formerWallet }),
    service,
    isTimeKnown,
    journal,
    dayBook,
    clock,
    ids,
    log,
    changed: () => changed(id),
    journalDamage,
    leaveAfterMs,
    ...(monitoring !== undefined && { observe: monitoring.observerOf(id) }),
  });
}

/** Reference of the payment whose own code is shown; null when none is. */
export function codeReference(lane: LaneSnapshot | null): string | null {
  const current = lane?.current ?? null;
  return current === null || current.code === null || current.code === 'awaited'
    ? null
    : referenceOf(current.payment.sale.orderId);
}

function demoLanes(lanes: readonly Lane[], settings: ReadySettings, service: ServiceName) {
  // The demonstration's till speaks ZVT.
  return settings.lanes.flatMap(({ id, currency, pointOfSale, till }, index) =>
    till.protocol !== 'zvt'
      ? []
      : {
          id,
          currency,
          merchantPosId: pointOfSale.merchantPosId,
          service,
          reference: () => codeReference(lanes[index]?.snapshot() ?? null),
          get address() {
            // There is one lane for each of the settings', in the same order.
            return (lanes[index] as Lane).address;
          },
        },
  );
}
