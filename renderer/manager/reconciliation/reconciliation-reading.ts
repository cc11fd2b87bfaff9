import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Bridge } from '../../../preload/contract.ts';
import type { JobState, Period, Summary } from '../../../preload/procedures/reconciliation.ts';

const pollMs = 300;

/** Opens a period: requests it, follows the progress of reading it, and holds its totals. */
export class Reading implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #ask: Bridge['ask'];
  /** Called whenever a period is ready, because its rows have changed. */
  readonly #ready: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts the requests, so that the answer to an earlier one is ignored. */
  #turn = 0;

  job: JobState = { kind: 'idle' };
  summary: Summary | null = null;
  /** The code of the last refusal. */
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

  /** Resumes following a period that is being read. */
  resume(): void {
    if (this.isBusy) this.#later(this.#turn);
  }

  /** Sends no requests until `resume`. */
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
