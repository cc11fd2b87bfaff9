/** Implements `preload/procedures/setup-till.ts`. */
import { Refusal } from '../../../preload/procedures/procedure.ts';
import { isSameLine, type TillApi, TillLine } from '../../../preload/procedures/setup-fields.ts';
import type { Heard } from '../../../preload/procedures/setup-till.ts';
import { isSamePort, type SerialPortFound } from '../devices/serial-ports.ts';
import type { Clock } from '../../core/domain/clock.ts';
import type { OpenSerialWire } from '../../core/domain/wire.ts';
import type { Handlers } from '../server/router.ts';
import type { Session } from '../server/session.ts';
import type { LaneSettings, LineSettings } from '../settings/schema.ts';
import type { DraftStore } from './draft-store.ts';
import { addressesHere, requirePersonFor } from './displays.ts';
import { laneCurrencyOf } from './draft.ts';
import { draftApi } from './draft-till.ts';
import type { SetupHost, TestApi } from './setup-host.ts';
import { apiAddress } from '../../core/domain/api-address.ts';
import { checkedApi } from './till-api.ts';
import { PortsSeen, portViews } from './ports.ts';
import { TestPayment } from './test-payment.ts';
import { TillListener } from './till-listener.ts';

interface TillSetupOptions {
  readonly drafts: DraftStore;
  readonly host: Pick<
    SetupHost,
    'settings' | 'lanes' | 'openTestCounter' | 'tokens' | 'apiPort' | 'secrets' | 'requirePerson'
  >;
  readonly listSerialPorts: () => Promise<readonly SerialPortFound[]>;
  readonly openSerialWire: OpenSerialWire;
  readonly clock: Clock;
}

/** A line that takes longer is told as still opening. */
const opensWithinMs = 2_000;

/** For the test payment with the built-in till, which needs no real one. */
const anyTcpPort = { protocol: 'zvt', transport: 'tcp', host: '127.0.0.1', port: 0 } as const;

export class TillSetup {
  readonly #options: TillSetupOptions;
  readonly #seen = new WeakMap<Session, PortsSeen>();
  #listener: TillListener | null = null;
  #test: TestPayment | null = null;

  constructor(options: TillSetupOptions) {
    this.#options = options;
  }

  readonly handlers: Handlers = {
    serialPorts: async (_asked, session) => {
      const { listSerialPorts, host, drafts } = this.#options;
      const ports = await listSerialPorts();
      const seen = this.#seen.get(session) ?? new PortsSeen();
      this.#seen.set(session, seen);
      const kept = drafts.draft?.till;
      const path = kept?.transport === 'serial' ? kept.path : null;
      return { ports: portViews(ports, seen.plugged(ports), host.settings()?.lanes ?? [], path) };
    },

    tillApi: () => {
      const { host, drafts } = this.#options;
      const settings = host.settings();
      const { draft } = drafts;
      const lanes =
        settings?.lanes
          .filter(({ id, till }) => till.protocol === 'http' && id !== draft?.laneId)
          .map(({ name }) => name) ?? [];
      const token = draft?.tillToken ?? null;
      return {
        api: draftApi(settings?.api),
        lanes,
        poiId: freePoiId(settings?.lanes ?? []),
        addresses: addressesHere(),
        token: token && { name: token.name, scopes: token.scopes },
      };
    },

    checkTillApi: async (asked, session) => {
      const checked = await this.checked(asked, session);
      return { address: apiAddress(checked.tls !== null, checked) };
    },

    makeDraftToken: (asked) => {
      const { token, prepared } = this.#options.host.tokens.prepare(asked);
      this.#options.drafts.keepToken(prepared);
      return { token };
    },

    listenToTill: async ({ till }, session) => {
      requirePersonFor(till, this.#options.host, session);
      this.#checkFree(till);
      if (this.#listener?.waitFor(till) === true) return this.#listener.heard();
      await this.release();
      const { draft } = this.#options.drafts;
      const listener = new TillListener(till, {
        ...this.#options,
        laneCurrency: laneCurrencyOf(draft),
        language: draft?.language ?? 'en',
      });
      this.#listener = listener;
      await Promise.race([
        listener.opened,
        new Promise<void>((resolve) => this.#options.clock.after(opensWithinMs, resolve)),
      ]);
      return listener.heard();
    },

    tillHeard: () => this.#listener?.heard() ?? this.#silence(),

    stopListening: async () => {
      await this.#listener?.stop();
      return {};
    },

    startTestPayment: async (asked, session) => {
      const { drafts, host, clock } = this.#options;
      // The draft may be imported, or somebody else's.
      if (asked.with === 'till') requirePersonFor(drafts.draft?.till, host, session);
      const lane = drafts.laneToTry();
      const realTill = asked.with === 'till';
      if (realTill && lane.till.protocol !== 'http') this.#checkFree(lane.till);
      await this.release();
      const tried = realTill ? lane : { ...lane, till: anyTcpPort };
      this.#test = new TestPayment({
        with: asked.with,
        clock,
        open: async (changed) =>
          host.openTestCounter(tried, realTill ? await this.#testApi() : null, changed),
        passed: () => drafts.tested(asked.with),
      });
      return this.#test.state;
    },

    testPaymentState: () => {
      const state = this.#test?.state ?? TestPayment.none;
      // A draft that was changed after its test is not tested.
      return state.state === 'passed' && this.#options.drafts.draft?.tested == null
        ? TestPayment.none
        : state;
    },

    stopTestPayment: async () => {
      await this.#test?.stop();
      return {};
    },
  };

  /**
   * Checks a till that is a program. @returns it with absolute paths and the names of its
   * certificate. @throws Refusal one of `apiRefusals`, pinNeeded
   */
  async checked<Asked extends TillApi>(
    asked: Asked,
    session: Session,
  ): Promise<Asked & { names: string[] }> {
    requirePersonFor(asked, this.#options.host, session);
    // A test that has passed still answers its till there.
    await this.#test?.stop();
    return { ...asked, ...(await this.#checked(asked)) };
  }

  async #checked(asked: TillApi): Promise<TillApi & { names: string[] }> {
    const { host, clock } = this.#options;
    return checkedApi(asked, {
      folder: host.secrets.folder,
      servedPort: await host.apiPort(),
      nowMs: clock.wallMs(),
    });
  }

  /**
   * At another port where the daemon serves its lanes already. @throws Refusal one of
   * `apiRefusals`: a draft that was imported may not have been checked
   */
  async #testApi(): Promise<TestApi | null> {
    const { drafts, host } = this.#options;
    const settings = drafts.apiToTry();
    if (settings === null) return null;
    await this.#checked(draftApi(settings));
    const isServed = (await host.apiPort()) === settings.port;
    return {
      settings: isServed ? { ...settings, port: 0 } : settings,
      token: drafts.draft?.tillToken ?? null,
    };
  }

  /** Whether a till is known to be at this line: it was heard there, or a lane in use has it. */
  isHeard(till: Parameters<typeof isSameLine>[0]): boolean {
    if (till.transport !== 'http' && this.#laneAt(till) !== undefined) return true;
    const found = this.#listener?.foundAt ?? null;
    if (found !== null && isSameLine(found, till)) return true;
    const { draft } = this.#options.drafts;
    return draft?.till != null && !draft.unheard && isSameLine(draft.till, till);
  }

  /** Call it when the draft becomes another one: no test applies to that. */
  async forget(): Promise<void> {
    await this.release();
    this.#test = null;
  }

  /** Closes the till lines that setup has open. */
  async release(): Promise<void> {
    await Promise.all([this.#listener?.stop(), this.#test?.stop()]);
  }

  /** Only one can listen to a till. @throws Refusal laneUses */
  #checkFree(till: TillLine | LineSettings): void {
    const user = this.#laneAt(till);
    if (user !== undefined)
      throw new Refusal('laneUses', `lane ${user.id} listens to it`, {
        facts: { laneId: user.id },
      });
  }

  #laneAt(till: TillLine | LineSettings): LaneSettings | undefined {
    const { settings, lanes } = this.#options.host;
    return settings()?.lanes.find(({ id, till: other }) => {
      if (other.protocol === 'http') return false;
      if (till.transport === 'serial')
        return other.transport === 'serial' && isSamePort(other.path, till.path);
      const port = lanes()
        .find((lane) => lane.id === id)
        ?.address.split(':')
        .at(-1);
      return other.transport === 'tcp' && till.port !== 0 && port === String(till.port);
    });
  }

  #silence(): Heard {
    const kept = this.#options.drafts.draft?.till ?? anyTcpPort;
    const till = TillLine.parse(kept.transport === 'http' ? anyTcpPort : kept);
    return {
      what: 'stopped',
      protocol: null,
      bytes: 0,
      packets: 0,
      firstBytes: '',
      meaning: null,
      profile: null,
      till,
      turnedAway: null,
      answered: null,
      detail: null,
      problem: null,
    };
  }
}

function freePoiId(lanes: readonly LaneSettings[]): string {
  const taken = new Set(
    lanes.map(({ till }) => (till.protocol === 'http' ? till.nexo?.poiId : undefined)),
  );
  let number = 1;
  while (taken.has(`Tillbeacon-${number}`)) number += 1;
  return `Tillbeacon-${number}`;
}
