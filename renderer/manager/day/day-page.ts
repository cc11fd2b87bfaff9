import { html, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { state } from 'lit/decorators.js';
import type { InputOf, OutputOf } from '../../../preload/procedures.ts';
import type { Closing } from '../../../preload/procedures/day.ts';
import { dialog } from '../../ui/dialog.ts';
import { empty } from '../../ui/empty.ts';
import { icon } from '../../ui/icons.ts';
import { notice } from '../../ui/notice.ts';
import { progress } from '../../ui/progress.ts';
import { designStyles } from '../../ui/styles.ts';
import { Toasts } from '../../ui/toast.ts';
import { saveFile } from '../../save-file.ts';
import { csvForm } from '../csv-form.ts';
import './close-day.ts';
import type { ToClose } from './close-day.ts';
import './closing-report.ts';
import './closings.ts';
import { dayChoice } from './day-choice.ts';
import { byCurrency } from './day-figures.ts';
import { currencyTotals, hourChart, openList } from './day-totals.ts';
import { ManagerPage } from '../page.ts';
import { printSheet } from '../../ui/print-sheet.ts';
import styles from './day-page.css?inline';
import { frameTexts } from '../../locales/frame.ts';
import { managerTexts, type ManagerTexts } from '../../locales/manager.ts';

type Day = OutputOf<'day'>;

const lookedAtEveryMs = 5_000;

/** A day's figures, and its closing. */
class DayPage extends ManagerPage {
  static override styles = [designStyles, unsafeCSS(styles)];

  /** null for today, also after midnight. */
  @state() chosenDay: string | null = null;
  /** The text in the field while it is not a day that can be shown. */
  @state() typedDay = '';
  /** null for all lanes. */
  @state() laneId: string | null = null;
  @state() day: Day | null = null;
  @state() problem: string | null = null;
  @state() refused: string | null = null;
  @state() toClose: ToClose | null = null;
  /** The report in the dialog; null without one. */
  @state() report: { readonly closing: Closing; readonly isNew: boolean } | null = null;
  @state() isSaving = false;
  readonly #toasts = new Toasts(this);
  /** Counts the requests, so that the answer to an earlier one is ignored. */
  #looks = 0;

  private get words(): ManagerTexts['day'] {
    return managerTexts[this.language].day;
  }

  override opened(): void {
    this.loadEvery(lookedAtEveryMs, () => void this.#look());
  }

  override covered(): void {
    this.day = null;
  }

  async #look(): Promise<void> {
    this.#looks += 1;
    const look = this.#looks;
    const answer = await this.ask('day', { day: this.chosenDay, laneId: this.laneId });
    if (look !== this.#looks) return;
    if (answer.ok) {
      this.day = answer.value;
      this.refused = null;
    } else if (answer.code === 'invalid') this.problem = this.words.dayWrong;
    else if (answer.code !== 'pinNeeded' && answer.code !== 'disconnected')
      this.refused = frameTexts[this.language].refusal[answer.code];
  }

  protected override render(): TemplateResult {
    const { words, day } = this;
    return html`<section class="page" aria-labelledby="day-title">
        <div class="spread">
          <h1 class="title" id="day-title">${words.title}</h1>
          <span class="row">
            <button
              data-testid="save-day"
              ?disabled=${day === null || day.lanes.length === 0}
              aria-busy=${this.isSaving}
              @click=${() => void this.#save({ day: day?.day ?? null, laneId: this.laneId })}
            >${icon('download')} ${words.export.save}</button>
            <button class="primary" data-testid="close-day" ?disabled=${day === null} @click=${() => this.#beginClosing()}>${icon('lock')} ${words.close.begin}</button>
          </span>
        </div>
        ${dayChoice({
          language: this.language,
          day: this.chosenDay ?? day?.today ?? null,
          typed: this.problem === null ? null : this.typedDay,
          today: day?.today ?? null,
          problem: this.problem,
          lanes: this.view?.lanes ?? [],
          laneId: this.laneId,
          onDay: (chosen) => this.#choose(chosen),
          onLane: (laneId) => {
            this.laneId = laneId;
            void this.#look();
          },
        })}
        ${this.refused === null ? nothing : notice({ kind: 'error', body: this.refused })}
        ${day === null ? (this.refused === null ? progress({ language: this.language, label: words.looking, fraction: null }) : nothing) : this.#figures(day)}
        <tb-closings
          .bridge=${this.bridge}
          .language=${this.language}
          .lanes=${this.view?.lanes ?? []}
          .newest=${Math.max(this.report?.closing.number ?? 0, day?.newestClosing ?? 0)}
          .visible=${this.visible}
          @chosen=${({ detail }: CustomEvent<number>) => void this.#show(detail)}
        ></tb-closings>
      </section>
      ${this.report !== null ? this.#reportDialog(this.report) : nothing}
      ${
        this.toClose === null
          ? nothing
          : html`<tb-close-day
              .bridge=${this.bridge}
              .language=${this.language}
              .toClose=${this.toClose}
              .visible=${this.visible}
              @closed=${() => (this.toClose = null)}
              @done=${({ detail }: CustomEvent<Closing>) => this.#closed(detail)}
            ></tb-close-day>`
      }
      ${this.#toasts.render(this.language)}`;
  }

  #figures(day: Day): TemplateResult {
    const figures = byCurrency(day.lanes);
    return html`${
      figures.length === 0
        ? html`<div class="card" data-testid="no-payments">${empty({ icon: 'calendar', ...this.words.nothing })}</div>`
        : figures.map(
            (one) =>
              html`${currencyTotals(this.language, one, day.lanes.length > 1)}${hourChart(this.language, one.currency, day)}`,
          )
    }
      ${openList(this.language, day.open)}`;
  }

  #reportDialog({ closing, isNew }: NonNullable<DayPage['report']>): TemplateResult {
    const { report: words, close } = this.words;
    return dialog({
      language: this.language,
      title: words.title({ number: closing.number }),
      size: 'large',
      visible: this.visible,
      onClose: () => (this.report = null),
      body: html`${isNew ? notice({ kind: 'success', body: words.done({ number: closing.number }) }) : nothing}
        <tb-closing-report tabindex="0" role="region" aria-label=${words.title({ number: closing.number })} .language=${this.language} .closing=${closing}></tb-closing-report>`,
      actions: html`<button @click=${() => (this.report = null)}>${close.back}</button>
        <button
          data-testid="save-report"
          ?disabled=${closing.lanes.length === 0}
          aria-busy=${this.isSaving}
          @click=${() => void this.#save({ number: closing.number })}
        >${icon('download')} ${this.words.export.save}</button>
        <button class="primary" autofocus data-testid="print-report" @click=${() => this.#print(closing)}>${icon('printer')} ${words.print}</button>`,
    });
  }

  #print(closing: Closing): void {
    printSheet(
      html`<tb-closing-report .language=${this.language} .closing=${closing}></tb-closing-report>`,
    );
  }

  async #save(of: InputOf<'dayExport'>['of']): Promise<void> {
    if (this.isSaving) return;
    this.isSaving = true;
    const { export: words } = this.words;
    const name = 'number' in of ? words.report : words.day;
    const answer = await this.ask('dayExport', {
      of,
      csv: csvForm(this.language),
      words: { name, columns: words.columns },
    });
    const saved = answer.ok ? await saveFile(this.bridge, answer.value) : 'failed';
    this.isSaving = false;
    if (answer.ok && saved === 'saved')
      this.#toasts.show({ kind: 'success', text: words.saved({ name: answer.value.name }) });
    else if (answer.ok || answer.code !== 'pinNeeded')
      this.#toasts.show({ kind: 'error', text: words.failed });
  }

  /** @param chosen '' when the field was emptied */
  #choose(chosen: string): void {
    const today = this.day?.today;
    this.problem =
      chosen === '' || (today !== undefined && chosen > today) ? this.words.dayWrong : null;
    this.typedDay = chosen;
    if (this.problem !== null) return;
    this.chosenDay = chosen === today ? null : chosen;
    void this.#look();
  }

  #beginClosing(): void {
    const { day, laneId } = this;
    if (day === null) return;
    const laneName = this.view?.lanes.find((lane) => lane.laneId === laneId)?.name ?? laneId ?? '';
    const laneNames = new Map(this.view?.lanes.map((lane) => [lane.laneId, lane.name]));
    this.toClose = {
      laneId,
      laneName,
      last: day.lastClosing,
      openCount: day.open.length,
      overlaps: day.overlaps,
      laneNames,
    };
  }

  #closed(closing: Closing): void {
    this.toClose = null;
    this.report = { closing, isNew: true };
    void this.#look();
  }

  async #show(number: number): Promise<void> {
    const answer = await this.ask('closing', { number });
    if (answer.ok) this.report = { closing: answer.value, isNew: false };
    else if (answer.code !== 'pinNeeded')
      this.refused = frameTexts[this.language].refusal[answer.code];
  }
}
customElements.define('tb-day-page', DayPage);
