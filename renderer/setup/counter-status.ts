import type { ReactiveControllerHost } from 'lit';
import type { Bridge } from '../../preload/contract.ts';
import type { OutputOf } from '../../preload/procedures.ts';
import { Idle } from '../manager/people/idle.ts';
import { PassOnInHistory } from '../manager/people/pass-on.ts';
import type { SetupState } from './step-order.ts';
import { Polling } from './polling.ts';

const lookEveryMs = 3_000;

/**
 * Polls who is signed in and the counter's setup: a settings file can be put into the data folder
 * at any time.
 */
export class CounterStatus {
  /** null while it is not known. */
  session: OutputOf<'session'> | null = null;
  /** null while it is not known, or until somebody has signed in. */
  setup: SetupState | null = null;
  readonly #host: ReactiveControllerHost;
  readonly #bridge: Pick<Bridge, 'ask'>;
  readonly #seen: (now: SetupState, before: SetupState | null) => void;
  readonly #prepared: () => void;
  readonly #looking: Polling;
  readonly #idle: Idle;

  /**
   * @param seen called after each answer of the daemon
   * @param prepared called when settings were put in use by other means, e.g. a settings file,
   * while this page was open
   */
  constructor(
    host: ReactiveControllerHost,
    bridge: Pick<Bridge, 'ask'>,
    {
      seen,
      prepared,
    }: {
      readonly seen: (now: SetupState, before: SetupState | null) => void;
      readonly prepared: () => void;
    },
  ) {
    this.#host = host;
    this.#bridge = bridge;
    this.#seen = seen;
    this.#prepared = prepared;
    this.#looking = new Polling(host, lookEveryMs, () => this.look());
    new PassOnInHistory(
      host,
      bridge,
      () => this.session !== null && this.session.signedIn !== null,
    );
    this.#idle = new Idle(host, {
      onIdle: () => void this.#signOut(),
      onActive: () => void bridge.ask('stillHere', {}),
    });
  }

  get hasManager(): boolean {
    return (this.session?.managers.length ?? 0) > 0;
  }

  /**
   * A counter with settings is changed only with a PIN; while there is no manager yet, only with
   * the one-time code.
   */
  get needsSignIn(): boolean {
    if (this.session === null) return false;
    return this.#needsPin || this.#needsCode;
  }

  /**
   * Whether the counter is in use but has no manager: the first manager must then be created before
   * anything else.
   */
  get needsManager(): boolean {
    return this.session !== null && this.setup?.inUse != null && !this.hasManager;
  }

  /**
   * Whether the code is asked for because other computers are to reach something, and not for a
   * manager.
   */
  get asksForNetwork(): boolean {
    return this.#needsCode && this.setup !== null && this.setup.inUse === null;
  }

  get #needsCode(): boolean {
    return this.session !== null && this.session.codeFile !== null;
  }

  get #needsPin(): boolean {
    return this.session !== null && this.session.signedIn === null && this.hasManager;
  }

  /**
   * A sign-in is valid for one connection, so the session is asked for again after each new one.
   */
  connection(isThere: boolean): void {
    this.session = null;
    this.#idle.stop();
    if (isThere) this.#looking.start();
    else this.#looking.stop();
  }

  async look(): Promise<void> {
    if (this.session === null) {
      const answer = await this.#bridge.ask('session', {});
      if (!answer.ok) return;
      this.session = answer.value;
      if (answer.value.signedIn !== null) this.#idle.watch(answer.value.signsOutAfterMs);
      if (this.#needsCode && this.setup?.inUse === null) this.#prepared();
    }
    if (!this.needsSignIn) await this.#lookAtSetup();
    this.#host.requestUpdate();
  }

  async #lookAtSetup(): Promise<void> {
    const answer = await this.#bridge.ask('setupState', {});
    if (answer.ok) {
      const before = this.setup;
      this.setup = answer.value;
      this.#seen(answer.value, before);
    } else if (answer.code === 'pinNeeded') this.session = null;
  }

  /** Asks who is signed in once more: a call was refused for that. */
  async again(): Promise<void> {
    this.session = null;
    await this.look();
  }

  /** Called after a sign-in, or when none is needed. */
  async entered(): Promise<void> {
    const answer = await this.#bridge.ask('session', {});
    if (answer.ok) {
      this.session = answer.value;
      this.#idle.watch(answer.value.signsOutAfterMs);
    }
    await this.look();
  }

  async #signOut(): Promise<void> {
    await this.#bridge.ask('signOut', {});
    this.session = null;
    await this.look();
  }
}
