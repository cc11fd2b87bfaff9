import { html, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { state } from 'lit/decorators.js';
import type { RefusalOf } from '../../../preload/procedures.ts';
import type { Health, HealthState } from '../../../preload/procedures/health.ts';
import { dialog } from '../../ui/dialog.ts';
import { icon, type IconName } from '../../ui/icons.ts';
import { notice } from '../../ui/notice.ts';
import { progress } from '../../ui/progress.ts';
import { designStyles } from '../../ui/styles.ts';
import { formatTimeWithSeconds } from '../../locales/i18n.ts';
import { frameTexts } from '../../locales/frame.ts';
import { managerTexts, type ManagerTexts } from '../../locales/manager.ts';
import { commandFields } from '../../ui/command-fields.ts';
import './backup.ts';
import './diagnostics.ts';
import './till-recording.ts';
import { type HealthPart, type HealthRow, healthRows } from './health-rows.ts';
import { ManagerPage } from '../page.ts';
import styles from './health-page.css?inline';

const lookedAtEveryMs = 10_000;

/** The states that need attention, the worst first. */
const states = ['broken', 'attention'] as const satisfies readonly HealthState[];

/** Each state has an icon, a word and a tone. */
const icons: Readonly<Record<HealthState, IconName>> = {
  ok: 'check',
  attention: 'warning',
  broken: 'cross',
};
const tones: Readonly<Record<HealthState, 'success' | 'warning' | 'error'>> = {
  ok: 'success',
  attention: 'warning',
  broken: 'error',
};

/** The counter's health, updated every ten seconds while the page is visible. */
class HealthPage extends ManagerPage {
  static override styles = [designStyles, unsafeCSS(styles)];

  @state() health: Health | null = null;
  @state() refused: RefusalOf<'health'> | null = null;
  /**
   * When the damage that the manager is asked to acknowledge was found; null when there is none.
   */
  @state() notingMs: number | null = null;
  @state() noteRefused: RefusalOf<'damageNoted'> | null = null;
  @state() busy = false;
  /** The wallet service is being asked. */
  @state() checking = false;

  private get words(): ManagerTexts['health'] {
    return managerTexts[this.language].health;
  }

  override opened(): void {
    this.loadEvery(lookedAtEveryMs, () => void this.#look(false));
  }

  override covered(): void {
    this.health = null;
    this.notingMs = null;
  }

  /** @param ask the wallet service too, now */
  async #look(ask: boolean): Promise<void> {
    if (ask) this.checking = true;
    const answer = await this.ask('health', { ask });
    if (ask) this.checking = false;
    // A look without asking must not be shown over a later check.
    if (!ask && this.checking) return;
    if (answer.ok) this.health = answer.value;
    this.refused = answer.ok ? null : answer.code;
  }

  protected override render(): TemplateResult {
    const { words, health } = this;
    return html`<section class="page" aria-labelledby="health-title">
      <div class="spread">
        <h1 class="title" id="health-title">${frameTexts[this.language].page.health}</h1>
        <span class="row">
          ${health === null ? nothing : html`<span class="soft number">${words.asOf({ time: formatTimeWithSeconds(this.language, health.atMs) })}</span>`}
          <button data-testid="look-again" aria-busy=${this.checking} ?disabled=${this.checking} @click=${() => void this.#look(true)}>${icon('health')} ${words.lookAgain}</button>
        </span>
      </div>
      ${this.refused === null || this.refused === 'pinNeeded' ? nothing : notice({ kind: 'error', body: frameTexts[this.language].refusal[this.refused] })}
      ${health === null ? progress({ language: this.language, label: words.lookAgain, fraction: null }) : this.#parts(health)}
      <tb-till-recording .bridge=${this.bridge} .language=${this.language} .visible=${this.visible}></tb-till-recording>
      <tb-backup .bridge=${this.bridge} .language=${this.language} .visible=${this.visible}></tb-backup>
      <tb-diagnostics .bridge=${this.bridge} .language=${this.language} .visible=${this.visible}></tb-diagnostics>
      ${this.notingMs === null ? nothing : this.#askNoted(this.notingMs)}
    </section>`;
  }

  #askNoted(damagedMs: number): TemplateResult {
    const { damageNoted } = this.words;
    const close = (): void => void (this.notingMs = null);
    return dialog({
      language: this.language,
      title: damageNoted.title,
      visible: this.visible,
      onClose: close,
      body: html`<p>${damageNoted.body}</p>
        ${this.noteRefused === null ? nothing : notice({ kind: 'error', body: frameTexts[this.language].refusal[this.noteRefused] })}`,
      actions: html`<button data-testid="keep" @click=${close}>${damageNoted.notYet}</button>
        <button class="primary" data-testid="note-now" aria-busy=${this.busy} @click=${() => void this.#note(damagedMs)}>${icon('check')} ${damageNoted.confirm}</button>`,
    });
  }

  #beginNoting(damagedMs: number): void {
    this.noteRefused = null;
    this.notingMs = damagedMs;
  }

  async #note(damagedMs: number): Promise<void> {
    this.busy = true;
    const answer = await this.ask('damageNoted', { damagedMs });
    this.busy = false;
    this.noteRefused = answer.ok ? null : answer.code;
    if (!answer.ok) return;
    this.notingMs = null;
    await this.#look(false);
  }

  #parts(health: Health): TemplateResult {
    const parts = healthRows(
      health,
      { words: this.words, texts: this.texts, frame: frameTexts[this.language] },
      this.language,
    );
    const wrong = states.flatMap((state) =>
      parts.flatMap((part) =>
        part.rows
          .filter((row) => row.state === state)
          .map((row) => ({ state, what: inHead(part, row) })),
      ),
    );
    const worst = wrong[0]?.state ?? 'ok';
    const body =
      wrong.length === 0
        ? undefined
        : html`<ul class="wrong">${wrong.map(({ what }) => html`<li>${what}</li>`)}</ul>`;
    return html`<div data-testid="overall" data-health=${worst}>${notice({ kind: tones[worst], title: this.words.overall[worst], ...(body !== undefined && { body }) })}</div>
      ${parts.map(
        ({ title, rows }) =>
          html`<section class="card" aria-label=${title}>
            <h2 class="heading">${title}</h2>
            <ul>
              ${rows.map((row) => this.#row(row))}
            </ul>
          </section>`,
      )}`;
  }

  #row({ code, state, what, next, commands, detail, facts, toNoteMs }: HealthRow): TemplateResult {
    return html`<li data-testid="health-${code}" data-health=${state}>
      ${icon(icons[state])}
      <div class="row-words">
        <p><strong>${what}</strong> <span class="visually-hidden">(${this.words.state[state]})</span></p>
        ${next === '' ? nothing : html`<p>${next}</p>`} ${commandFields(this.language, commands)} ${detail === null ? nothing : html`<p class="mono small soft">${this.texts.support}: ${detail}</p>`}
        ${facts.length === 0 ? nothing : html`<dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd class="number">${value}</dd>`)}</dl>`}
        ${toNoteMs === null ? nothing : html`<span class="row"><button data-testid="note-damage" @click=${() => this.#beginNoting(toNoteMs)}>${icon('check')} ${this.words.damageNoted.ask}</button></span>`}
      </div>
    </li>`;
  }
}
customElements.define('tb-health-page', HealthPage);

/** A row as it reads away from its part: one of open money has an amount alone. */
const inHead = ({ title }: HealthPart, { code, what }: HealthRow): string =>
  code === 'unsettled' ? `${title}: ${what}` : what;
