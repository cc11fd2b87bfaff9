import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { healthHandlers } from '../../../../../main/counter/manager/health/health-handlers.ts';
import { makeBundle } from '../../../../../main/counter/manager/health/bundle.ts';
import { ServiceMonitor } from '../../../../../main/wallets/http/service-monitor.ts';
import type { JournalEntry } from '../../../../../main/core/journal/journal.ts';
import { systemIds } from '../../../../../main/core/domain/ids.ts';
import { silentLog } from '../../../../../main/core/domain/log.ts';
import { DownloadStore } from '../../../../../main/counter/server/download-store.ts';
import { Router } from '../../../../../main/counter/server/router.ts';
import type { Session } from '../../../../../main/counter/server/session.ts';
import { type Health, healthProcedures } from '../../../../../preload/procedures/health.ts';
import type { FileOffer } from '../../../../../preload/procedures/procedure.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const secrets = [
  's3cr3t-of-the-client',
  'tok-en-77',
  'pin-of-somebody',
  '+4520031801',
  '20031801',
  'Søren Kjær',
  'Ada Lund',
  'L-998877',
  'eyJhbGciOi.eyJzdWIiOi.SflKx',
];
const logLines = [
  '{"level":"warn","time":"2026-11-21T08:59:00.000Z","clientSecret":"s3cr3t-of-the-client","msg":"asked"}',
  '{"level":"warn","authorization":"Bearer tok-en-77","detail":"Bearer tok-en-77","msg":"said no"}',
  '{"level":"info","pin":"pin-of-somebody","phoneNumber":"+4520031801","msg":"of a person"}',
  '{"level":"info","detail":"call +4520031801 or 20031801","customerName":"Søren Kjær","msg":"of a person"}',
  '{"level":"info","msg":"Ada Lund signed in","loyaltyIds":["L-998877"]}',
  '{"level":"info","msg":"got eyJhbGciOi.eyJzdWIiOi.SflKx","state":"connected","orderId":"1-20261121-000001"}',
];
const saleId = '3d500000-0000-4000-8000-000000000001';
const entry = (seq: number, event: object): JournalEntry => ({
  seq,
  atMs: Date.UTC(2026, 10, 21, 8),
  laneId: '1',
  saleId,
  refundOrderId: null,
  event: event as never,
});

let folder: string;
let clock: ManualClock;
let events: JournalEntry[];
let openFails: boolean;
let extractRequests: { fromMs: number | undefined }[];
let router: Router;
const recording = {
  untilMs: null as number | null,
  recordUntil(untilMs: number | null): void {
    this.untilMs = untilMs;
  },
};
let closed: number;
const session: Session = { manager: { managerId: saleId, name: 'Ada Lund' } };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-bundle-'));
  extractRequests = [];
  openFails = false;
  events = [
    entry(1, {
      type: 'saleRequested',
      sale: {
        saleId,
        orderId: '1-20261121-000001',
        amountMinor: 4200,
        currency: 'DKK',
        customerName: 'Søren Kjær',
      },
    }),
    entry(2, { type: 'customerSeen', loyaltyIds: ['L-998877'], customerReceiptToken: 'tok-en-77' }),
    entry(3, { type: 'attemptFailed', detail: 'the phone 20031801 said no' }),
    entry(4, { type: 'ended', reason: 'timedOut' }),
  ];
  closed = 0;
  recording.untilMs = null;
  clock = new ManualClock();
  const downloads = new DownloadStore({ clock, ids: systemIds });
  const handlers = healthHandlers({
    lanes: () => [],
    serviceKind: () => 'real',
    service: new ServiceMonitor({ clock, log: silentLog }),
    dataFolder: folder,
    journal: join(folder, 'journal.sqlite'),
    journalCondition: { damage: null, checkedMs: null, show() {} },
    notices: () => [],
    version: '1.2.3',
    startedMs: 0,
    starts: () => ({ with: 'computer', system: 'linux' }),
    clock,
    downloads,
    openReader: () => {
      if (openFails) throw new Error('database disk image is malformed');
      return {
        findSales: ({ fromMs }, { after }) => {
          extractRequests.push({ fromMs });
          return { rows: [{ saleId }] as never, next: after === null ? 'more' : null };
        },
        story: () => events,
        close: () => void (closed += 1),
      };
    },
    recentLog: () => logLines,
    recordings: recording,
    settings: () => ({
      wallet: { clientId: 'shop-7', clientSecret: 's3cr3t-of-the-client' },
      lanes: [{ id: '1', note: 's3cr3t-of-the-client' }],
    }),
    secrets: () => ['s3cr3t-of-the-client', 'Ada Lund'],
  });
  router = new Router({
    handlers: { ...downloads.handlers, ...handlers },
    middleware: { mayCall: () => true, record() {}, recordRefused() {} },
    log: silentLog,
  });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function bundle(): Promise<Record<string, string>> {
  const offer = await value<FileOffer>('diagnostics', {});
  const { base64 } = await value<{ base64: string }>('filePart', { fileId: offer.fileId, part: 0 });
  return Object.fromEntries(
    Object.entries(unzipSync(Buffer.from(base64, 'base64'))).map(([name, bytes]) => [
      name,
      strFromU8(bytes),
    ]),
  );
}
async function value<Value>(name: string, about: object): Promise<Value> {
  const answer = await router.call(session, name, about);
  if (!answer.ok) throw new Error(answer.message);
  return answer.value as Value;
}

test('a manager has the tills recorded for a day, and ends it', async () => {
  expect(await value('tillRecording', {})).toEqual({ untilMs: null });
  expect(await value('recordTills', { on: true })).toEqual({
    untilMs: clock.wallMs() + 86_400_000,
  });
  expect(await value('tillRecording', {})).toEqual({ untilMs: clock.wallMs() + 86_400_000 });
  expect(await value('recordTills', { on: false })).toEqual({ untilMs: null });
  expect(await router.call(session, 'recordTills', { on: 'yes' })).toMatchObject({
    ok: false,
    code: 'invalid',
    field: 'on',
  });
  expect(healthProcedures.recordTills).toMatchObject({ who: 'manager' });
  expect(healthProcedures.recordTills.records?.({ on: true })).toEqual({ on: true });
});

test('a disk that takes no note of it refuses, and nothing is recorded', async () => {
  vi.spyOn(recording, 'recordUntil').mockImplementationOnce(() => {
    throw new Error('ENOSPC');
  });
  expect(await router.call(session, 'recordTills', { on: true })).toMatchObject({
    ok: false,
    code: 'failed',
  });
  expect(await value('tillRecording', {})).toEqual({ untilMs: null });
});

test('its contents are listed before it is made', async () => {
  expect(await value('diagnosticsContents', {})).toEqual({
    logLines: 6,
    sales: 2,
    fromMs: Date.UTC(2026, 10, 14, 9),
  });
  expect(closed).toBe(1);
});

test('the bundle is one file that support can read, without a secret or a person in it', async () => {
  const offer = await value<FileOffer>('diagnostics', {});
  expect(offer).toMatchObject({
    name: 'tillbeacon-diagnostics-2026-11-21T09-00-00Z.zip',
    type: 'application/zip',
  });
  const { base64 } = await value<{ base64: string }>('filePart', { fileId: offer.fileId, part: 0 });
  const files = Object.fromEntries(
    Object.entries(unzipSync(Buffer.from(base64, 'base64'))).map(([name, bytes]) => [
      name,
      strFromU8(bytes),
    ]),
  );
  expect(Object.keys(files)).toEqual([
    'README.txt',
    'health.json',
    'settings.json',
    'log.jsonl',
    'journal.jsonl',
  ]);
  const everything = Object.values(files).join('\n');
  for (const secret of secrets) expect(everything).not.toContain(secret);

  expect(JSON.parse(files['health.json'] as string)).toMatchObject({
    software: { version: '1.2.3' },
  });
  expect(JSON.parse(files['settings.json'] as string)).toMatchObject({
    wallet: { clientId: 'shop-7', clientSecret: '[removed]' },
  });
  expect(files['log.jsonl']?.trim().split('\n')).toHaveLength(6);
  expect(files['log.jsonl']).toContain('1-20261121-000001');
  const events = (files['journal.jsonl'] as string)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(events).toHaveLength(8);
  expect(events[0]).toEqual({
    seq: 1,
    at: '2026-11-21T08:00:00.000Z',
    lane: '1',
    type: 'saleRequested',
    saleId,
    orderId: '1-20261121-000001',
    amountMinor: 4200,
    currency: 'DKK',
  });
  expect(events[1]).toEqual({
    seq: 2,
    at: '2026-11-21T08:00:00.000Z',
    lane: '1',
    type: 'customerSeen',
  });
  expect(extractRequests.every(({ fromMs }) => fromMs === Date.UTC(2026, 10, 14, 9))).toBe(true);
  expect(closed).toBe(1);
});

test('a journal that cannot be read does not keep the rest from support, who hear why', async () => {
  openFails = true;
  expect(await value('diagnosticsContents', {})).toMatchObject({ logLines: 6, sales: 0 });
  const files = await bundle();
  expect(files['journal.jsonl']).toBe('{"unreadable":"database disk image is malformed"}\n');
  expect(files['log.jsonl']?.trim().split('\n')).toHaveLength(6);
});

test('a bundle of a busy week never holds up a payment: it is made in many turns', async () => {
  async function* journal(): AsyncGenerator<object> {
    for (let seq = 0; seq < 2_000; seq += 1) yield { seq, detail: 'no answer within two seconds' };
  }
  let turns = 0;
  let isMade = false;
  const turn = (): void => void (isMade || ((turns += 1), setImmediate(turn)));
  turn();
  const health = await value<Health>('health', {});
  turns = 0;
  await makeBundle({
    madeAtMs: clock.wallMs(),
    health,
    settings: null,
    logLines: [],
    journal: journal(),
    fromMs: 0,
    secrets: [],
  });
  isMade = true;
  expect(turns).toBeGreaterThan(30);
});

test('a clock with an empty battery does not keep it from being made', async () => {
  clock.wallMs = () => 1_000;
  expect(Object.keys(await bundle())).toHaveLength(5);
});
