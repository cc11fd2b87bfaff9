import { Refusals } from '../../tills/nexo/refusals.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteJournal } from '../../core/journal/sqlite-journal.ts';
import { type LaneSnapshot, progressOf } from '../../core/lane/snapshot.ts';
import { noNotices } from '../../core/domain/notices.ts';
import { bracketed } from '../../core/domain/host-port.ts';
import type { ServiceName } from '../../core/domain/sale.ts';
import { beaconPhone, codePhone } from '../../sandbox/demo/phone.ts';
import type { ApiSettings, LaneSettings } from '../settings/schema.ts';
import { readyLane } from '../settings/load.ts';
import type { SecretSources } from '../../support/settings/secrets.ts';
import type { TestApi, TestCounter, TestProgress } from '../setup/setup-host.ts';
import type { RefusedPage } from '../../tills/http/calls.ts';
import type { HttpApi } from '../../tills/http/server.ts';
import { tillOfPrepared, type Tokens } from '../../tills/http/tokens.ts';
import { startApi } from './api-server.ts';
import { type Counter, type CounterParts, openCounter, codeReference } from './counter.ts';
import { LaneChanges } from './lane-changes.ts';
import { readerOnce } from './parts.ts';
import { ServiceMonitor } from '../../wallets/http/service-monitor.ts';
import type { System } from './system.ts';

interface TestCounterOptions {
  readonly lane: LaneSettings;
  /** null when the till is not software. */
  readonly api: TestApi | null;
  /** Tokens that are in use. */
  readonly tokens: Pick<Tokens, 'find' | 'holds'>;
  readonly secrets: SecretSources;
  readonly changed: () => void;
}

/**
 * Opens a counter with this lane and a separate simulated service. Its journal is in a temporary
 * folder: nothing of it reaches the shop's journal.
 */
export async function openTestCounter(
  { lane: settings, api, tokens, secrets, changed }: TestCounterOptions,
  { clock, ids, log }: System,
): Promise<TestCounter> {
  // A lane without a store is one of the ePayment service.
  const service: ServiceName = settings.pointOfSale.storeId === undefined ? 'epayment' : 'v10';
  // Each payment shows a code there: nobody is there who could be named.
  const lane = readyLane(
    service === 'epayment' ? { ...settings, flow: 'initiate' } : settings,
    'till',
    secrets,
  );
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-test-payment-'));
  const journalPath = join(folder, 'journal.sqlite');
  const journal = openSqliteJournal(journalPath, clock);
  const journalReader = readerOnce(journalPath);
  const changes = new LaneChanges();
  changes.subscribe(changed);
  const nexoRefusals = new Refusals({ path: join(folder, 'nexo-refusals.sqlite'), clock, log });
  const removeJournal = (): void => {
    nexoRefusals.close();
    journalReader.close();
    journal.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const parts: CounterParts = {
    clock,
    ids,
    log: log.child({ testPayment: true }),
    journal,
    journalReader,
    journalDamage: () => null,
    changed: (laneId) => changes.notify(laneId),
    serviceMonitor: new ServiceMonitor({ clock, log }),
    // No money moves, and nothing of it stays.
    isTimeKnown: () => true,
    notices: noNotices,
    recreations: null,
    madeStickers: null,
    recordings: null,
    tillLanguages: null,
    terminalIds: null,
  };
  const options = { demo: true, booksPath: null, checksOff: null };
  const counter = await openCounter(
    { wallet: { simulator: true, service }, lanes: [lane] },
    parts,
    options,
  ).catch((error: unknown) => {
    removeJournal();
    throw error;
  });
  const { id: laneId } = settings;
  const [opened] = counter.lanes;
  const { demo, simulator } = counter;
  if (demo === null || simulator === null) throw new Error('a test counter is a demonstration');
  // Earlier, the lane would refuse the built-in till.
  await counter.ready;
  const phone =
    service === 'epayment'
      ? codePhone(() => codeReference(opened?.snapshot() ?? null), simulator)
      : beaconPhone(settings.pointOfSale.merchantPosId, simulator);
  let refusedPage: RefusedPage | null = null;
  const onRefusedPage = (refused: RefusedPage): void => void (refusedPage = refused);
  const served =
    api &&
    (await serve(api, counter, {
      nexoRefusals,
      tokens,
      changes,
      parts,
      laneId,
      onRefusedPage,
    }).catch(async (error: unknown) => {
      await counter.close();
      removeJournal();
      throw error;
    }));
  return {
    api: api && served && reachedAt(api.settings, served.port),
    refusedPage: () => refusedPage,
    progress: () => (opened === undefined ? null : progress(opened.snapshot())),
    // Nobody reads what this till shows.
    pay: (amountMinor) => demo.pay(laneId, amountMinor, 'en'),
    scan: async () => phone.use('scan'),
    approve: async () => phone.use('approve'),
    isCaptured: () =>
      service === 'epayment'
        ? simulator.hasCapturedEpayment
        : [...simulator.world.payments.values()].some(({ status }) => status === 'Captured'),
    async close() {
      await served?.close();
      await counter.close();
      removeJournal();
    },
  };
}

interface ServedOptions {
  readonly nexoRefusals: Refusals;
  readonly tokens: Pick<Tokens, 'find' | 'holds'>;
  readonly changes: LaneChanges;
  readonly parts: CounterParts;
  readonly laneId: string;
  readonly onRefusedPage: (refused: RefusedPage) => void;
}

/**
 * Serves the HTTP API with this lane only, and no token of others. @throws when the port is taken
 * or the certificate cannot be read
 */
function serve(
  { settings, token: prepared }: TestApi,
  counter: Counter,
  { nexoRefusals, tokens, changes, parts, laneId, onRefusedPage }: ServedOptions,
): Promise<HttpApi> {
  const inUse = (token: string) => {
    const tokenRecord = tokens.find(token);
    return tokenRecord?.laneId === laneId ? tokenRecord : null;
  };
  return startApi(settings, {
    ...parts,
    reader: parts.journalReader.get,
    counter: (id) => counter.httpCounters.get(id) ?? null,
    nexoLanes: () => counter.nexoLanes,
    nexoRefusals,
    onRefusedPage,
    subscribe: (listener) => changes.subscribe(listener),
    tokens: {
      find: (token) => (prepared && tillOfPrepared(prepared, laneId, token)) ?? inUse(token),
      holds: (tokenId) => prepared?.tokenId === tokenId || tokens.holds(tokenId),
    },
  });
}

/** The address for a program on this computer. */
function reachedAt({ host, tls, names: [name] }: ApiSettings, port: number): TestCounter['api'] {
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const address = isEverywhere ? '127.0.0.1' : bracketed(host);
  if (tls === undefined)
    return { url: `http://${address}:${port}`, certificate: null, resolve: null };
  const resolve = name === undefined ? null : `${name}:${port}:${address}`;
  return { url: `https://${name ?? address}:${port}`, certificate: tls.certificate, resolve };
}

function progress({ current, result }: LaneSnapshot): TestProgress | null {
  if (result !== null) {
    const { amountMinor, currency, outcome } = result;
    return outcome.paid
      ? { step: 'paid', amountMinor, currency, reason: null }
      : { step: 'notPaid', amountMinor, currency, reason: outcome.reason };
  }
  if (current === null) return null;
  const { amountMinor, currency } = current.payment.sale;
  return { step: stepOf(progressOf(current.payment)), amountMinor, currency, reason: null };
}

/** @param step null while the till is being told the outcome */
function stepOf(step: ReturnType<typeof progressOf>): TestProgress['step'] {
  switch (step) {
    case 'waitingForCustomer':
    case 'customerFound':
      return 'waitingForCustomer';
    case 'approveInApp':
    case null:
      return 'approveInApp';
    case 'contactingService':
    case 'cancelling':
      return 'askedByTill';
  }
}
