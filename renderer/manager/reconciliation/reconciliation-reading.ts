import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Bridge } from '../../../preload/contract.ts';
import type { JobState, Period, Summary } from '../../../preload/procedures/reconciliation.ts';

const pollMs = 300;

/** A period on its way to the screen: asked for, read with progress, and its sums. */
export class Reading implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #ask: Bridge['ask'];
  /** Told whenever a period is ready: its rows are others than before. */
  readonly #ready: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Changes with each request: what comes for an older one is not shown. */
  #turn = 0;

  job: JobState = { kind: 'idle' };
  summary: Summary | null = null;
  /** A question was refused with this code. */
  refused: string | null = null;

  constructor(host: ReactiveControllerHost, ask: Bridge['ask'], ready: () => void) {
    this.#host = host;
    this.#ask = ask;
    this.#ready = ready;
    host.addController(this);
  }

  hostConnected(): void {}

  get isBusy(): boolean {
    return this.job.kind === 'reading' || this.job.kind === 'matching';
  }

  async open(period: Period, again = false): Promise<void> {
    clearTimeout(this.#timer);
    const turn = (this.#turn += 1);
    this.refused = null;
    this.job = { kind: 'reading', period, doneTransfers: 0, totalTransfers: null, transactions: 0 };
    this.#host.requestUpdate();
    const answer = await this.#ask('reconciliationOpen', { period, again });
    if (turn !== this.#turn) return;
    if (answer.ok) await this.#take(answer.value, turn);
    else this.#refuse(answer.code);
  }

  async cancel(): Promise<void> {
    await this.#ask('reconciliationCancel', { what: 'reading' });
  }

  /** What goes on is looked at again. */
  resume(): void {
    if (this.isBusy) this.#later(this.#turn);
  }

  /** Nothing is asked until `resume`. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  async #poll(turn: number): Promise<void> {
    const answer = await this.#ask('reconciliationState', {});
    if (turn !== this.#turn) return;
    if (answer.ok) await this.#take(answer.value.job, turn);
    else this.#refuse(answer.code);
  }

  async #take(job: JobState, turn: number): Promise<void> {
    this.job = job;
    if (job.kind === 'ready') {
      const answer = await this.#ask('reconciliationSummary', { period: job.period });
      if (turn !== this.#turn) return;
      if (!answer.ok) return this.#refuse(answer.code);
      this.summary = answer.value;
      this.#ready();
    }
    this.#host.requestUpdate();
    if (this.isBusy) this.#later(turn);
  }

  #later(turn: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#poll(turn), pollMs);
  }

  #refuse(code: string): void {
    this.job = { kind: 'idle' };
    this.refused = code;
    this.#host.requestUpdate();
  }
}
