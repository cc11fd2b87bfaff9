/**
 * One run: a shop from its opening to the time when nothing is left to settle. Everything in it
 * follows from the seed.
 */
import type { Lane } from '../../main/core/lane/lane.ts';
import { bookingOf } from '../../main/core/settlement/reservation.ts';
import { ServiceEngine } from '../../main/sandbox/simulator/service-engine.ts';
import { putUnit } from '../../main/sandbox/simulator/epayment/epayment-registry.ts';
import { World } from '../../main/sandbox/simulator/world.ts';
import { Books } from './books.ts';
import { Cable } from './cable.ts';
import { Cashier } from './cashier.ts';
import { Changing, type ServiceSettings } from './changing.ts';
import { listenToInputs, watchInputs } from './coverage.ts';
import { bootDaemon, type Place } from './daemon.ts';
import { Closings } from './day-book.ts';
import { type Disk, memoryDisk, sqliteDisk, type Written } from './disk.ts';
import { brokenRules } from './invariants.ts';
import { Kept } from './kept.ts';
import { Life } from './life.ts';
import { Manager } from './manager.ts';
import { checkShown, isToBeShown, RequestRules } from './meanwhile.ts';
import { type MomentsPlayed, playMoments } from './moments.ts';
import { Network } from './network.ts';
import { letCustomersCome } from './people.ts';
import { OtherCounter } from './other-counter.ts';
import { Plague } from './plague.ts';
import { Chance } from './random.ts';
import type { Broken } from './rules.ts';
import { Counter } from './sockets.ts';
import { ReservationOffice } from './reservation-office.ts';
import { Said } from './said.ts';
import { Scanners } from './scanners.ts';
import { Stage } from './stage.ts';
import { ShopTill } from './till.ts';
import { merchant, profile, type ShopService, unitKeys } from './wallets.ts';
import { drawPolicy, drawWeather, isOnlyStandstills, withStandstills } from './weather.ts';

export interface RunOptions {
  readonly seed: number;
  /** The service of the shop; by default the seed decides. */
  readonly service?: ShopService | undefined;
  /** One in this many runs uses the real journal on SQLite. */
  readonly sqliteEvery?: number;
  /** Filled with the events of the run, for somebody to read. */
  readonly story?: string[];
}

export interface RunResult {
  readonly payments: number;
  readonly refunds: number;
  readonly reservations: number;
  /** Captures and releases that tills decided. */
  readonly bookings: number;
  readonly requests: number;
  readonly restarts: number;
  /** The same as in `Tally`. */
  readonly changes: number;
  readonly carriedOver: number;
  readonly formerRefunds: number;
  readonly broken: readonly Broken[];
}

/**
 * Salt for the choice whether tills make reservations: with this one, no till does in the runs of
 * `seeds.ts`.
 */
const tillsReserveSalt = 0x2206_0004;
/**
 * Salt for the choice whether the daemon stands still: with this one, no daemon does in the runs of
 * `seeds.ts`.
 */
const standstillSalt = 0x5709_0d9c;
/**
 * Salt for the choice whether tills close days: with this one, no till does in the runs of
 * `seeds.ts`.
 */
const tillsCloseSalt = 0xda70_0082;
const minuteMs = 60_000;
const changesBooks = /^(initiate|prepare|create|capture|cancel|refund)/;
const nearlyARefundMs = 20 * 60 * minuteMs;
const dayMs = 24 * 60 * minuteMs;
/** The longest time that a reservation lasts, and a day more. */
const maxReservationDays = { v10: 8, epayment: 15, change: 15 } as const;
/**
 * How long faults happen, and how long a shop may need afterwards until everything is known: a till
 * waits for three minutes at a time.
 */
const stormMs = 20 * minuteMs;
const calmMs = 3 * 60 * minuteMs;

function serviceOf(seed: number): ShopService {
  if (new Chance(seed ^ 0xc4a9_0000).is(0.1)) return 'change';
  return new Chance(seed ^ 0xe9a7_0000).is(0.5) ? 'epayment' : 'v10';
}

export async function runShop({
  seed,
  service = serviceOf(seed),
  sqliteEvery = 500,
  story,
}: RunOptions): Promise<RunResult> {
  watchInputs();
  const { stackTraceLimit } = Error;
  // Most failures are intended here. Without a story nobody reads stack traces, which take an
  // eighth of the time.
  if (story === undefined) Error.stackTraceLimit = 0;
  const shop = new Shop(
    seed,
    service,
    seed % sqliteEvery === 0 ? sqliteDisk() : memoryDisk(),
    story ?? null,
  );
  listenToInputs(
    () => shop.isDaemonAlive,
    (pair, of) => shop.taken(pair, of),
  );
  try {
    return await shop.run();
  } finally {
    shop.close();
    Error.stackTraceLimit = stackTraceLimit;
  }
}

class Shop {
  readonly stage: Stage;
  readonly #chance: Chance;
  readonly #standstills: Chance;
  readonly #on: ShopService;
  /** The change to another service; null when the shop keeps its service. */
  readonly #changing: Changing | null;
  /** The settings with which the daemon was started. */
  #settings: ServiceSettings;
  #formerRefunds = 0;
  readonly #world: World;
  readonly #kept: Kept;
  readonly #rules: RequestRules;
  readonly #scanners: Scanners;
  readonly #network: Network;
  readonly #disk: Disk;
  readonly #books = new Books();
  readonly #said: Said;
  readonly #closings: Closings;
  readonly #places: readonly Place[];
  readonly #tills: readonly ShopTill[];
  readonly #meddled = new Set<string>();
  readonly #manager: Manager;
  readonly #cashier: Cashier;
  readonly #reservations: ReservationOffice;
  readonly #plague: Plague;
  /** The merchant's other counter; null when there is none. */
  readonly #other: OtherCounter | null;
  readonly #isLong: boolean;
  readonly #refundCame: () => void;
  readonly #moments: MomentsPlayed | null = null;
  readonly #broken: Broken[] = [];
  #life: Life | null = null;
  #lanes: readonly Lane[] = [];
  #stopAsking: () => void = () => {};
  #wallShiftMs = 0;
  #requests = 0;
  #restarts = 0;

  constructor(seed: number, on: ShopService, disk: Disk, story: string[] | null) {
    const chance = new Chance(seed);
    this.#chance = chance;
    this.#disk = disk;
    this.#on = on;
    this.stage = new Stage(
      withStandstills(drawWeather(chance.fork(), on), new Chance(seed ^ standstillSalt)),
      story,
    );
    this.#standstills = new Chance(seed ^ (standstillSalt + 1));
    const restart = (isAskedFirst: boolean): void =>
      isAskedFirst ? this.#stop() : this.#life?.end('to start with other settings');
    const changing =
      on === 'change'
        ? new Changing({
            stage: this.stage,
            chance: new Chance(seed ^ 0xc4a9_0001),
            books: this.#books,
            restart,
          })
        : null;
    this.#changing = changing;
    this.#settings = on === 'change' ? (changing as Changing).settings : { service: on };
    const { time, weather } = this.stage;
    this.stage.say(
      'seed',
      () =>
        `${seed}, weather ${JSON.stringify({ ...weather, httpOn: weather.httpOn && [...weather.httpOn] })}`,
    );
    this.#closings = new Closings(this.stage, new Chance(seed ^ 0xc105_0000));
    const ids = chance.fork();
    this.#world = new World({
      clock: time,
      ids: { uuid: () => ids.uuid() },
      profile,
      policy: drawPolicy(chance, weather),
    });
    this.#world.clients.set(merchant.clientId, { ...merchant, integratorId: 'the integrator' });
    const engine = new ServiceEngine(this.#world);
    this.#kept = new Kept(
      this.#world,
      engine.epayments,
      putUnit(engine.epayments, {
        msn: unitKeys.msn,
        mayCaptureParts: new Chance(seed ^ 0x9a27_0000).is(0.5),
      }),
      this.#books,
    );
    this.#rules = new RequestRules(this.#kept, this.#books);
    this.#scanners = new Scanners({
      stage: this.stage,
      chance: new Chance(seed ^ 0x5ca7_0000),
      kept: this.#kept,
      meddled: (orderId) => this.#meddled.add(orderId),
      isMeddled: (orderId) => this.#meddled.has(orderId),
      approved: (payment) => this.#moments?.approved(payment),
    });
    this.#said = new Said({
      kept: this.#kept,
      books: this.#books,
      meddled: this.#meddled,
      isBeyondKnowing: weather.outages.some(({ fromMs, toMs }) => toMs - fromMs > nearlyARefundMs),
      clock: time,
    });
    this.#network = new Network(this.stage, engine, chance.fork(), {
      arrived: (arrived, departure) => {
        this.#requests += 1;
        this.#rules.arrived(arrived, departure);
        if (arrived.operation === 'createRefund') time.after(0, () => this.#refundCame());
        if (changesBooks.test(arrived.operation)) time.after(0, () => this.#looksAtScreens());
        this.#moments?.arrived(arrived);
      },
      answered: (arrived, status) => this.#rules.answered(arrived, status),
    });
    if (weather.moments !== null) {
      this.#moments = playMoments({
        stage: this.stage,
        world: this.#world,
        chance: chance.fork(),
        moments: weather.moments,
        meddled: (orderId) => this.#meddled.add(orderId),
        wantsOut: (who) => this.#plague.wantsOut(who),
        epayment: (reference) => this.#kept.epayment(reference),
        settleEpayment: (payment, what) => this.#scanners.settle(payment, what),
        squatEpayment: (reference) => this.#scanners.squat(reference),
      });
    }
    this.#refundCame = letCustomersCome(
      this.stage,
      this.#world,
      chance.fork(),
      new Chance(seed ^ 0x9d0f_0000),
      (orderId) => this.#meddled.add(orderId),
    );
    const amounts = chance.fork();
    let amountMinor = amounts.between(1, 500);
    const nextAmount = (): number => (amountMinor += amounts.between(1, 500));
    this.#places = Array.from({ length: chance.is(0.3) ? 2 : 1 }, (_, index) =>
      this.#place(`${index + 1}`),
    );
    // Nobody reaches a daemon that stands still.
    const lanes = (): readonly Lane[] =>
      this.#life === null || this.#life.standsStill ? [] : this.#lanes;
    this.#cashier = new Cashier({
      stage: this.stage,
      // Random numbers of its own, and nobody takes payments by hand in the runs of `seeds.ts`:
      // those runs stay as they were when they failed.
      chance: new Chance(seed ^ 0x5500_0000),
      reservations: new Chance(seed ^ 0x2e5e_0000),
      books: this.#books,
      laneIds: this.#places.map(({ laneId }) => laneId),
      lanes,
      nextAmount,
    });
    this.#reservations = new ReservationOffice(
      this.stage,
      new Chance(seed ^ 0x0ff1_0000),
      this.#books,
      lanes,
    );
    this.#boot();
    const tillsReserve = new Chance(seed ^ tillsReserveSalt).is(0.4);
    const tillsClose = new Chance(seed ^ tillsCloseSalt).is(0.4);
    // As for closings, with random numbers of their own, so that other shops stay the same.
    const areTillsOdd = new Chance(seed ^ 0x0dd7_0000).is(0.3);
    this.#tills = this.#places.map(
      ({ line, laneId }) =>
        new ShopTill({
          stage: this.stage,
          chance: chance.fork(),
          parts: new Chance(seed ^ (0x9d00_0000 + Number(laneId))),
          paper: new Chance(seed ^ (0x06d3_0000 + Number(laneId))),
          reserving: tillsReserve ? new Chance(seed ^ (0x2200_0000 + Number(laneId))) : null,
          closing: tillsClose ? new Chance(seed ^ (0xc10e_0000 + Number(laneId))) : null,
          odd: areTillsOdd ? new Chance(seed ^ (0x0dd0_0000 + Number(laneId))) : null,
          closings: this.#closings,
          line,
          laneId,
          sales: chance.between(...weather.sales),
          refunds: weather.moments?.isOfRefunds
            ? chance.between(6, 14)
            : chance.is(0.6)
              ? chance.between(1, 8)
              : 0,
          nextAmount,
          heard: (heard) => this.#said.till(laneId, heard),
          powerFails: () => this.#life?.end('because the power failed'),
        }),
    );
    this.#manager = new Manager(this.stage, chance.fork(), this.#books, lanes);
    // As for the cashier, nothing of this happens in the runs of `seeds.ts`.
    const elsewhere = new Chance(seed ^ 0x07e4_0000);
    this.#other =
      on !== 'epayment' && elsewhere.is(0.1)
        ? new OtherCounter({
            stage: this.stage,
            chance: elsewhere,
            world: this.#world,
            books: this.#books,
            meddled: this.#meddled,
            refundCame: () => this.#refundCame(),
          })
        : null;
    this.#isLong = chance.is(0.2);
    this.#plague = new Plague({
      stage: this.stage,
      chance,
      places: this.#places,
      tills: this.#tills,
      manager: this.#manager,
      cashier: this.#cashier,
      lanes,
      stopDaemon: () => this.#stop(),
      shiftClock: (byMs) => (this.#wallShiftMs += byMs),
    });
  }

  async run(): Promise<RunResult> {
    const { time, weather } = this.stage;
    const outageMs = Math.max(0, ...weather.outages.map(({ fromMs, toMs }) => toMs - fromMs));
    const outageEndsMs = Math.max(0, ...weather.outages.map(({ toMs }) => toMs));
    const allDone = (): boolean =>
      this.#tills.every(({ isDone }) => isDone) &&
      this.#manager.isDone &&
      this.#cashier.isDone &&
      this.#reservations.isDone &&
      this.#changing?.isDone !== false;
    const settled = (): boolean =>
      allDone() &&
      this.#other?.isSettled !== false &&
      this.#life !== null &&
      this.#lanes.every((lane) => this.#isSettled(lane));
    await time.pass(stormMs, settled);
    this.stage.say('weather', () => 'from here on nothing new goes wrong');
    this.stage.calm = true;
    for (const { line } of this.#places) if (line.kind === 'serial') line.cable.plugIn();
    if (!(await time.pass(calmMs + Math.max(0, outageEndsMs - time.monotonicMs()), settled)))
      this.stage.say('shop', () => 'does not come to rest');
    const life = this.#life;
    // Once all is settled, nothing may happen any more. That takes eight days to check; most runs
    // check one.
    const longDays = this.#isLong || !settled() ? maxReservationDays[this.#on] : 1;
    // A broken rule is reported already, so no quiet days follow.
    const quietDays = this.#rules.broken.length > 0 ? 0 : longDays;
    this.stage.say('shop', () => `${quietDays} days pass`);
    // The check of every minute would take most of the run's time, and find nothing.
    this.#stopAsking();
    await time.pass(quietDays * dayMs);
    if (life !== null && this.#life !== life)
      this.#broken.push({ rule: 8, what: 'the daemon did not live through the quiet days' });
    this.#looksAround();
    const ofBoth = (await this.#other?.broken()) ?? [];
    const journal = this.#disk.open(time);
    const broken = [
      ...this.#broken,
      ...this.#rules.broken,
      ...this.#scanners.broken,
      ...this.#said.broken,
      ...ofBoth,
      ...this.stage.surprises.map((what): Broken => ({ rule: 8, what })),
      ...brokenRules({
        kept: this.#kept,
        books: this.#books,
        tills: this.#tills,
        cashier: this.#cashier,
        reservations: this.#reservations,
        lanes: this.#lanes,
        disk: this.#disk.contents(),
        story: (saleId) => journal.story(saleId),
        meddled: this.#meddled,
        maxOutageMs: outageMs,
        losesNothing: isOnlyStandstills(weather) && this.#restarts === 0,
        restarts: this.#restarts,
      }),
    ];
    for (const { rule, what } of broken) this.stage.say('BROKEN', () => `rule ${rule}: ${what}`);
    const payments = [...this.#books.payments.values()];
    return {
      payments: payments.length,
      refunds: this.#books.refunds.size,
      reservations: payments.filter(({ sale }) => sale.plannedCaptureDelay !== undefined).length,
      bookings: payments.filter((payment) => bookingOf(payment) !== null).length,
      requests: this.#requests,
      restarts: this.#restarts,
      changes: this.#changing?.changes ?? 0,
      carriedOver: this.#changing?.carriedOver ?? 0,
      formerRefunds: this.#formerRefunds,
      broken,
    };
  }

  get isDaemonAlive(): boolean {
    return this.#life !== null;
  }

  taken(pair: string, of: 'payment' | 'refund'): void {
    this.stage.say('machine', () => `${of}: ${pair}`);
    this.#moments?.taken(pair, of);
  }

  close(): void {
    this.#world.clock.stop();
    this.#disk.close();
  }

  #place(laneId: string): Place {
    const chance = this.#chance;
    const { weather } = this.stage;
    const storeId = `51070000-0000-4000-8000-00000000000${laneId}`;
    this.#world.addStore({ storeId, merchantVat: merchant.merchantVat });
    return {
      laneId,
      merchantPosId: `checkout-${laneId}`,
      storeId,
      flow: chance.is(weather.preparedFlow) && this.#on !== 'epayment' ? 'prepare' : 'initiate',
      deadlineMs: chance.one(weather.deadlinesMs),
      line: chance.is(weather.moments === null ? 0.6 : 0.4)
        ? { kind: 'serial', cable: new Cable(this.stage, chance.fork(), `cable ${laneId}`) }
        : { kind: 'tcp', counter: new Counter(this.stage, chance.fork()) },
    };
  }

  // The starts and ends of the daemon.

  #boot(): void {
    const chance = this.#chance.fork();
    const { stage } = this;
    const life: Life = new Life(stage, chance.fork(), {
      wallShiftMs: () => this.#wallShiftMs,
      died: (why) => this.#died(life, why),
      standstills: this.#standstills.fork(),
    });
    this.#life = life;
    this.#settings = this.#changing?.settings ?? this.#settings;
    stage.say('daemon', () => `starts with ${this.#settings.service}`);
    const { lanes, stopAsking } = bootDaemon({
      life,
      stage,
      chance,
      network: this.#network,
      disk: this.#disk,
      places: this.#places,
      ...this.#settings,
      written: (entry) => this.#written(life, entry),
      changed: (laneId) => this.#looks(laneId),
      closings: this.#closings,
    });
    this.#lanes = lanes;
    this.#stopAsking = stopAsking;
    for (const lane of this.#lanes)
      lane
        .start()
        .catch((error: unknown) => stage.surprises.push(`a lane cannot start: ${String(error)}`));
  }

  #died(life: Life, why: string): void {
    this.stage.say('daemon', () => `IS GONE ${why}`);
    this.#restarts += 1;
    this.#gone(life);
  }

  #gone(life: Life): void {
    for (const { line } of this.#places) if (line.kind === 'tcp') line.counter.died(life);
    if (this.#life === life) this.#life = null;
    this.stage.time.after(
      this.#chance.steeply(100, this.stage.weather.moments === null ? 40_000 : 4_000),
      () => this.#boot(),
    );
  }

  /** Stops the daemon in good order and starts it again, as an update does. */
  #stop(): void {
    const life = this.#life;
    if (life === null) return;
    this.stage.say('daemon', () => 'is asked to stop');
    life.receive(
      'socket',
      () =>
        void Promise.all(this.#lanes.map((lane) => lane.close())).then(() => {
          if (life.isAlive) {
            this.stage.say('daemon', () => 'has stopped');
            life.end('because it was stopped');
          }
        }),
    );
  }

  /** Called when a lane's screens have changed. */
  #looks(laneId: string): void {
    this.#cashier.looks(laneId);
    const lane = this.#lanes.find(({ id }) => id === laneId);
    if (lane === undefined) return;
    this.#reservations.looks(lane);
    if (this.#settings.service === 'epayment') this.#scanners.looks(lane);
    this.#said.screens(lane);
  }

  #looksAtScreens(): void {
    if (this.#life?.standsStill === false) for (const lane of this.#lanes) this.#said.screens(lane);
  }

  /** Looks once more at the end, also at what was written long ago. */
  #looksAround(): void {
    this.#looksAtScreens();
    for (const saleId of this.#books.payments.keys()) this.#said.papers(saleId, this.#lanes[0]);
  }

  #written(life: Life, entry: Written): void {
    this.#books.write(entry);
    for (const event of entry.events) this.#begins(event);
    this.#said.papers(
      entry.of === 'payment' ? entry.id : (this.#books.refunds.get(entry.id)?.request.saleId ?? ''),
      this.#lanes.find(({ id }) => id === entry.laneId),
    );
    if (!entry.events.some(isToBeShown)) return;
    const lane = this.#lanes.find(({ id }) => id === entry.laneId);
    // In a microtask, because the run takes its new state over right after the commit.
    queueMicrotask(() => {
      const money =
        entry.of === 'payment'
          ? this.#books.payments.get(entry.id)
          : this.#books.refunds.get(entry.id);
      if (!life.isAlive || this.#life !== life || lane === undefined || money === undefined) return;
      const broken = checkShown(money, lane);
      if (broken !== null) this.#broken.push(broken);
    });
  }

  /** New payments begin at the service in use, and refunds at the service of their payment. */
  #begins(event: Written['events'][number]): void {
    if (event.type !== 'saleRequested' && event.type !== 'refundRequested') return;
    const { service = 'v10' } = event.type === 'saleRequested' ? event.sale : event.request;
    if (service === this.#settings.service) return;
    if (event.type === 'refundRequested') this.#formerRefunds += 1;
    else
      this.#broken.push({
        rule: 8,
        what: `order ${event.sale.orderId} was begun at ${service}, in use is ${this.#settings.service}`,
      });
  }

  /**
   * Asked after every event while a shop waits for nothing else, so the cheapest question comes
   * first.
   */
  #isSettled(lane: Lane): boolean {
    return (
      lane.tillRequests.readiness() === 'ready' &&
      this.#books.isAllSettled &&
      lane.snapshot().unsettled.every(({ problem }) => problem !== null)
    );
  }
}
