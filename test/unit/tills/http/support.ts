import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JournalReader, openJournalReader } from '../../../../main/core/journal/reader.ts';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { type Log, silentLog } from '../../../../main/core/domain/log.ts';
import type { TillScope } from '../../../../main/core/domain/till-scopes.ts';
import type { LaneSettings } from '../../../../main/core/lane/lane.ts';
import type { HttpApiOptions } from '../../../../main/tills/http/options.ts';
import { type HttpApi, startHttpApi } from '../../../../main/tills/http/server.ts';
import { serveApi } from '../../../../main/tills/http/thread.ts';
import { inThisThread } from '../../../../main/support/listener-thread.ts';
import { createHttpTill } from '../../../../main/tills/http/till.ts';
import { Tokens } from '../../../../main/tills/http/tokens.ts';
import type { Till } from '../../../../main/core/lane/till-port.ts';
import type { ProgramTill } from '../../../../main/tills/http/lane.ts';
import { World } from '../../core/lane/support.ts';
import { settled } from '../../support/manual-clock.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body of the operation's answer, or for a refusal a problem. */
  readonly body: {
    readonly paymentId: string;
    readonly refundId: string;
    readonly status: string;
    readonly refundedMinor: number;
    readonly refunds: readonly unknown[];
    readonly openapi: string;
  };
}

export interface Heard {
  readonly id: string | null;
  readonly event: string;
  readonly data: Answer['body'] & { readonly state: string; readonly reason: string | null };
}

function heardIn(block: string): Heard[] {
  const of = (name: string): string | null =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? null;
  const event = of('event');
  return event === null
    ? []
    : [{ id: of('id'), event, data: JSON.parse(of('data') ?? 'null') as Heard['data'] }];
}

export interface AskedOf {
  readonly key?: string;
  readonly body?: unknown;
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export const bread = { amountMinor: 1234, currency: 'DKK' } as const;

/**
 * The HTTP API on a real socket, with a real lane and journal, a fake service and a manual clock.
 */
export class ApiWorld {
  readonly folder = mkdtempSync(join(tmpdir(), 'tillbeacon-http-'));
  readonly logged: string[] = [];
  world!: World;
  till!: Till & ProgramTill;
  tokens!: Tokens;
  api!: HttpApi;
  token = '';
  #received = 0;
  #reader: JournalReader | null = null;
  readonly #listeners = new Set<(laneId: string | null) => void>();

  async open(
    about: Partial<LaneSettings> = {},
    server: Partial<HttpApiOptions> = {},
  ): Promise<this> {
    const note = (_fields: unknown, message: string): void => void this.logged.push(message);
    const log: Log = { ...silentLog, warn: note, error: note, child: () => log };
    this.world = await this.#openLane(about, log);
    this.tokens = new Tokens({
      path: join(this.folder, 'till-tokens.json'),
      clock: this.world.clock,
      ids: systemIds,
      log,
    });
    this.token = this.makeToken(['pay', 'refund', 'read']);
    const reader = openJournalReader(join(this.folder, 'journal.sqlite'));
    this.#reader = reader;
    this.api = await startHttpApi({
      host: '127.0.0.1',
      port: 0,
      tls: null,
      names: [],
      origins: [],
      version: '1.0',
      counter: (laneId) => {
        this.#received += 1;
        return laneId === '1' ? { lane: this.world.lane.tillRequests, till: this.till } : null;
      },
      subscribe: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
      tokens: this.tokens,
      journal: reader,
      dayTotals: (_laneId, day) => ({
        day: day ?? '2026-11-21',
        fromMs: 0,
        toMs: 1,
        payments: { count: 1, sumMinor: 2 },
        refunds: { count: 0, sumMinor: 0 },
        open: 0,
      }),
      clock: this.world.clock,
      log,
      startThread: inThisThread((port, data) => serveApi(port, data, this.world.clock)),
      ...server,
    });
    return this;
  }

  async #openLane(about: Partial<LaneSettings>, log: Log): Promise<World> {
    const world = new World(
      this.folder,
      about,
      log,
      (clock) => (this.till = createHttpTill('1', clock)),
    );
    world.changed = () => {
      for (const listener of this.#listeners) listener('1');
    };
    return world.open();
  }

  /** Ends the lane as a kill does: pending answers never arrive, and a new lane has the journal. */
  async killLane(
    prepare: (world: World) => void = () => {},
    about: Partial<LaneSettings> = {},
  ): Promise<void> {
    this.world.close();
    const world = new World(
      this.folder,
      about,
      silentLog,
      (clock) => (this.till = createHttpTill('1', clock)),
    );
    world.changed = this.world.changed;
    prepare(world);
    const opened = world.open();
    await world.clock.pass(5_000);
    await opened;
    this.world = world;
  }

  makeToken(scopes: TillScope[], laneId = '1'): string {
    const made = this.tokens.make({ name: 'Till 1', laneId, scopes });
    if (made === 'tooMany') throw new Error('too many tokens');
    return made.token;
  }

  /**
   * Reads an event stream until it has enough events, and disconnects. Resolves once the stream has
   * begun.
   */
  stream(
    enough: (heard: readonly Heard[]) => boolean,
    headers: Readonly<Record<string, string>> = {},
    token = this.token,
  ): Promise<{ all: Promise<readonly Heard[]> }> {
    const { promise: all, resolve } = Promise.withResolvers<readonly Heard[]>();
    return new Promise((begun, reject) => {
      const asked = request(
        {
          host: '127.0.0.1',
          port: this.api.port,
          path: '/v1/events',
          agent: false,
          headers: { authorization: `Bearer ${token}`, ...headers },
        },
        (response) => {
          let text = '';
          const heard = (): Heard[] => text.split('\n\n').slice(0, -1).flatMap(heardIn);
          response.setEncoding('utf8').on('data', (part: string) => {
            text += part;
            begun({ all });
            if (!enough(heard())) return;
            asked.destroy();
            resolve(heard());
          });
          response.on('end', () => resolve(heard()));
        },
      );
      asked.on('error', reject);
      asked.end();
    });
  }

  ask(
    method: string,
    path: string,
    { key, body, token = this.token, headers = {} }: AskedOf = {},
  ): Promise<Answer> {
    const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const asked = request(
        {
          host: '127.0.0.1',
          port: this.api.port,
          method,
          path,
          agent: false,
          headers: {
            ...(token !== null && { authorization: `Bearer ${token}` }),
            ...(key !== undefined && { 'idempotency-key': key }),
            ...(text !== null && { 'content-type': 'application/json' }),
            ...headers,
          },
        },
        (response) => {
          let answered = '';
          response.setEncoding('utf8').on('data', (part: string) => (answered += part));
          response.on('end', () => {
            const isJson = response.headers['content-type']?.includes('json') === true;
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: (isJson && answered !== '' ? JSON.parse(answered) : answered) as Answer['body'],
            });
          });
        },
      );
      asked.on('error', reject);
      asked.end(text ?? undefined);
    });
  }

  /** Sends a request with `wait`, and resolves once the daemon has it. */
  async waitFor(path: string): Promise<{ answer: Promise<Answer> }> {
    const before = this.#received;
    const answer = this.ask('GET', path);
    while (this.#received === before) await settled();
    await settled();
    return { answer };
  }

  pay(key: string, body: unknown = bread, about: AskedOf = {}): Promise<Answer> {
    return this.ask('POST', '/v1/payments', { key, body, ...about });
  }

  async close(): Promise<void> {
    await this.api.close();
    this.#reader?.close();
    this.world.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
