import type { ReactiveControllerHost } from 'lit';
import type { Bridge } from '../../preload/contract.ts';
import type { OutputOf } from '../../preload/procedures.ts';
import { Idle } from '../manager/people/idle.ts';
import type { SetupState } from './path.ts';
import { Repeated } from './repeated.ts';

const lookEveryMs = 3_000;

/** Who is at this screen, and what the daemon has of this counter: looked at again and again, as a settings file can be dropped at any time. */
export class CounterWatch {
  /** null: not known yet. */
  session: OutputOf<'session'> | null = null;
  /** null: not known yet, or not to be seen without a PIN. */
  setup: SetupState | null = null;
  readonly #host: ReactiveControllerHost;
  readonly #bridge: Pick<Bridge, 'ask'>;
  readonly #seen: (now: SetupState, before: SetupState | null) => void;
  readonly #prepared: () => void;
  readonly #looking: Repeated;
  readonly #idle: Idle;

  /**
   * @param seen after each look
   * @param prepared somebody else has put settings in use meanwhile
   */
  constructor(
    host: ReactiveControllerHost,
    bridge: Pick<Bridge, 'ask'>,
    { seen, prepared }: { readonly seen: (now: SetupState, before: SetupState | null) => void; readonly prepared: () => void },
  ) {
    this.#host = host;
    this.#bridge = bridge;
    this.#seen = seen;
    this.#prepared = prepared;
    this.#looking = new Repeated(host, lookEveryMs, () => this.look());
    this.#idle = new Idle(host, { onIdle: () => void this.#signOut(), onActive: () => void bridge.ask('stillHere', {}) });
  }

  get hasManager(): boolean {
    return (this.session?.managers.length ?? 0) > 0;
  }

  /** Nobody changes a counter that has settings without a PIN; where nobody has one yet, not without the one-time code. */
  get needsSignIn(): boolean {
    if (this.session === null) return false;
    return this.#needsPin || this.#needsCode;
  }

  /** In use, and nobody has a PIN yet: who was let in makes the first manager before anything else. */
  get needsManager(): boolean {
    return this.session !== null && this.setup?.inUse != null && !this.hasManager;
  }

  get #needsCode(): boolean {
    return this.session !== null && this.session.codeFile !== null;
  }

  get #needsPin(): boolean {
    return this.session !== null && this.session.signedIn === null && this.hasManager;
  }

  /** Who is signed in is so on one connection. */
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

  /** Signed in, or let in without a PIN. */
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
