import {
  existsSync,
  type FSWatcher,
  mkdtempSync,
  readdirSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFirstManager } from '../support/first-manager.ts';
import { type DaemonReady, Product, type SimulatorReady } from '../support/processes.ts';
import { Counter, type CounterKind } from './counter.ts';
import type { Dice } from './dice.ts';
import { Gateway, type Seen } from './gateway.ts';
import { JournalReader } from './journal-reader.ts';
import { patientFetch } from './patient-fetch.ts';
import { manager } from './person.ts';
import { cutPower } from './power-cut.ts';
import { type Books, unintended } from './rules.ts';
import type { Step } from './steps.ts';
import { Story } from './story.ts';

/** One till, or two that share a daemon. */
export type ShopKind = readonly CounterKind[];

/**
 * Real processes for the daemon, the service and the cable. The proxy before the service and the
 * tills are in this process, where they are observed.
 */
export class Shop {
  readonly kind: ShopKind;
  readonly folder = mkdtempSync(join(tmpdir(), 'tillbeacon-chaos-'));
  readonly story = new Story(this.folder);
  /** Requests that were sent without an intent on disk, which must never happen. */
  readonly unexpected: string[] = [];
  onStep: (step: Step) => void = () => {};
  daemon!: Product;
  journal!: JournalReader;
  counters: readonly Counter[] = [];
  gateway!: Gateway;
  #service!: Product;
  #booksWatcher: FSWatcher | null = null;
  #serviceIsKilled = false;
  #credentials!: SimulatorReady;
  /** The daemons of this round; the running one is the last. */
  readonly #daemons: Product[] = [];
  #screens = '';
  #isOpen = false;

  private constructor(kind: ShopKind) {
    this.kind = kind;
  }

  static async open(kind: ShopKind): Promise<Shop> {
    const shop = new Shop(kind);
    process.once('exit', shop.#leaveNothing);
    shop.#credentials = await shop.#startService('0');
    const onStep = (step: Step): void => shop.#step(step);
    const tell = (what: string): void => shop.tell(what);
    shop.gateway = new Gateway({
      service: shop.#credentials.baseUrl,
      onStep,
      onRequest: (seen) => shop.#onRequest(seen),
      tell,
    });
    shop.#booksWatcher = watch(shop.#booksFile, () => shop.#step('the books are being written'));
    const screens = (): string => shop.#screens;
    shop.counters = await Promise.all(
      kind.map((counter, index) =>
        Counter.build({
          kind: counter,
          number: index + 1,
          service: shop.#credentials.baseUrl,
          screens,
          onStep,
          tell,
        }),
      ),
    );
    writeFileSync(shop.#settingsFile, JSON.stringify(shop.#settings(await shop.gateway.start())));
    await makeFirstManager(shop.#data, manager);
    await shop.startDaemon();
    shop.journal = new JournalReader(
      shop.#data,
      shop.#journalFile,
      () => shop.#step('the journal is being written'),
      ({ type }) => shop.#step(`on disk: ${type}`),
    );
    shop.#isOpen = true;
    for (const { checkout } of shop.counters) await checkout.connect();
    return shop;
  }

  tell(what: string): void {
    this.story.tell(what);
  }

  beginRound(): void {
    this.story.begin();
    this.unexpected.length = 0;
    this.#daemons.splice(0, this.#daemons.length - 1);
  }

  launchDaemon(): void {
    this.daemon = new Product('daemon', [
      '--settings',
      this.#settingsFile,
      '--data',
      this.#data,
      '--port',
      '0',
    ]);
    this.#daemons.push(this.daemon);
    this.tell(`the daemon is started: process ${this.daemon.child.pid}`);
  }

  /** Resolves when the lanes take payments, with the milliseconds that took. */
  async startDaemon(): Promise<number> {
    const startedAtMs = performance.now();
    this.launchDaemon();
    const { screens } = await this.daemon.ready<DaemonReady>();
    this.#screens = screens;
    const tookMs = performance.now() - startedAtMs;
    this.tell(`every lane is open after ${tookMs.toFixed(0)} ms`);
    return tookMs;
  }

  /** Kills without awaiting anything, so that nothing can happen between the step and the kill. */
  killDaemon(why: string): void {
    this.tell(`SIGKILL: ${why}`);
    this.daemon.child.kill('SIGKILL');
  }

  /**
   * Cuts the power once the daemon is gone.
   * @param dice decides what of the journal's last write is lost too; null loses nothing, as when
   * only a process ends
   * @returns whether something was lost
   */
  async bury(dice: Dice | null): Promise<boolean> {
    await this.daemon.exited;
    this.journal.putDown();
    this.story.takePicture(this.#journalFile, 'as the daemon left them');
    if (dice === null) return false;
    const lost = cutPower(this.#journalFile, dice);
    this.tell(`power cut: ${lost.what}`);
    return lost.frames > 0;
  }

  /**
   * The service is away: each connection is reset, the process killed, or frozen; then what was on
   * its way there is carried out when it is back.
   */
  strikeService({ isKilled }: { readonly isKilled: boolean }): void {
    this.tell(`the service is gone: connections reset, process ${isKilled ? 'killed' : 'stopped'}`);
    this.#serviceIsKilled = isKilled;
    this.#service.child.kill(isKilled ? 'SIGKILL' : 'SIGSTOP');
    this.gateway.cut();
  }

  /** The process stands still. What is sent to it meanwhile waits in its sockets. */
  async stopForAWhile(who: 'daemon' | 'service', ms: number): Promise<void> {
    const { child } = who === 'daemon' ? this.daemon : this.#service;
    this.tell(`SIGSTOP: the ${who}, for ${ms} ms`);
    child.kill('SIGSTOP');
    await sleep(ms);
    this.tell(`SIGCONT: the ${who}`);
    child.kill('SIGCONT');
  }

  /** Starts the service again at the same address, with the state that it had. */
  async reviveService(): Promise<void> {
    if (this.#serviceIsKilled) {
      await this.#service.exited;
      await this.#startService(new URL(this.#credentials.baseUrl).port);
      this.#serviceIsKilled = false;
    } else this.#service.child.kill('SIGCONT');
    this.gateway.mend();
    this.tell('the service is back, with its books');
  }

  async books(): Promise<Books> {
    return (await (
      await patientFetch(`${this.#credentials.baseUrl}/simulator/state`)
    ).json()) as Books;
  }

  /** Cancels the newest sale of the lane at the cashier's screen. */
  async cancelAt({ laneId, person }: Counter): Promise<void> {
    const sale = this.journal.sales().findLast((story) => story.sale.laneId === laneId)?.sale;
    if (sale !== undefined)
      this.tell(`counter ${laneId}: the cashier cancels: ${await person.cancel(sale.saleId)}`);
  }

  /** The journals that were set aside as damaged, although nobody damaged them. */
  damagedJournals(): string[] {
    return readdirSync(this.#data).filter((name) => name.includes('.damaged-'));
  }

  /** The whole story of the round in a file. @returns its name */
  async writeStory(broken: readonly string[]): Promise<string> {
    const { payments, refunds } = await this.books();
    return this.story.write({
      'what is broken': broken,
      'the journal': this.journal.lines(),
      'the tills': this.counters.flatMap(({ laneId, checkout }) =>
        checkout.pressed.map((press) => `counter ${laneId}: ${JSON.stringify(press)}`),
      ),
      'at the screens': this.counters.flatMap(({ person }) =>
        person.actions.map((action) => JSON.stringify(action)),
      ),
      'payments at the service': payments.map((payment) => JSON.stringify(payment)),
      'refunds at the service': refunds.map((refund) => JSON.stringify(refund)),
      'what lies in the data folder': readdirSync(this.#data),
      'the daemons of this round': this.#daemons.flatMap(({ child, stderr }) => [
        `process ${child.pid}, ended by ${child.signalCode ?? child.exitCode}:`,
        stderr,
      ]),
    });
  }

  /** @param keep keeps the folder, so that somebody can look at it */
  async close({ keep }: { keep: boolean }): Promise<void> {
    process.off('exit', this.#leaveNothing);
    this.journal.close();
    await this.daemon.end('SIGKILL');
    await Promise.all(this.counters.map((counter) => counter.close()));
    this.gateway.stop();
    this.#booksWatcher?.close();
    this.#service.child.kill('SIGCONT');
    await this.#service.end('SIGKILL');
    if (!keep && existsSync(this.folder)) rmSync(this.folder, { recursive: true, force: true });
  }

  /**
   * Leaves no process behind, however this one ends. Nothing asynchronous is done any more at its
   * exit.
   */
  readonly #leaveNothing = (): void => {
    this.daemon?.child.kill('SIGKILL');
    this.#service?.child.kill('SIGKILL');
    for (const counter of this.counters) counter.letGo();
  };

  async #startService(port: string): Promise<SimulatorReady> {
    this.#service = new Product('simulator', [
      '--port',
      port,
      '--poll-delay',
      '100',
      '--books',
      this.#booksFile,
    ]);
    return this.#service.ready<SimulatorReady>();
  }

  get #booksFile(): string {
    return join(this.folder, 'service.books');
  }

  get #settingsFile(): string {
    return join(this.folder, 'settings.json');
  }

  get #data(): string {
    return join(this.folder, 'data');
  }

  get #journalFile(): string {
    return join(this.#data, 'journal.sqlite');
  }

  #settings(gateway: string): object {
    const { storeIds, clientId, clientSecret, merchantVat } = this.#credentials;
    return {
      wallet: { baseUrl: gateway, authUrl: gateway, clientId, clientSecret, merchantVat },
      lanes: this.counters.map((counter) => counter.settings(storeIds[0] as string)),
    };
  }

  #step(step: Step): void {
    if (!step.endsWith('being written')) this.tell(`step: ${step}`);
    this.onStep(step);
  }

  #onRequest(seen: Seen | null): void {
    if (!this.#isOpen) return;
    // A daemon that asks the service has opened the journal.
    if (this.daemon.child.exitCode === null && this.daemon.child.signalCode === null)
      this.journal.takeUp();
    const broken = seen === null ? null : unintended(seen, this.journal);
    if (broken !== null) this.unexpected.push(broken);
  }
}
