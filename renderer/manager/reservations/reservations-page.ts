import { html, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { state } from 'lit/decorators.js';
import type { RefusalOf } from '../../../preload/procedures.ts';
import type { OpenReservation } from '../../../preload/procedures/reservations.ts';
import { fieldRule } from '../../ui/amount.ts';
import { choice } from '../../ui/choice.ts';
import { dialog } from '../../ui/dialog.ts';
import { empty } from '../../ui/empty.ts';
import { field } from '../../ui/field.ts';
import { icon } from '../../ui/icons.ts';
import { notice } from '../../ui/notice.ts';
import { progress } from '../../ui/progress.ts';
import { designStyles } from '../../ui/styles.ts';
import { Toasts } from '../../ui/toast.ts';
import { formatAmount, formatDateTime, formatMoney } from '../../locales/i18n.ts';
import { frameTexts } from '../../locales/frame.ts';
import { managerTexts, type ManagerTexts } from '../../locales/manager.ts';
import { ManagerPage } from '../page.ts';
import { amountInForm, type CaptureForm, captureWarning, checkCapture } from './capture-form.ts';
import styles from './reservations-page.css?inline';

type Asking = { readonly kind: 'capture' | 'cancel'; readonly of: OpenReservation };
type Refused = RefusalOf<'captureReservation'> | RefusalOf<'cancelReservation'>;

const askedEveryMs = 5_000;
const nothingTyped: CaptureForm = { howMuch: 'all', amount: '' };

/**
 * Lists the open reservations of all lanes, the ones that expire first at the top, and captures or
 * cancels them.
 */
class ReservationsPage extends ManagerPage {
  static override styles = [designStyles, unsafeCSS(styles)];

  override readonly guardsFields = true;
  /** null until loaded. */
  @state() open: readonly OpenReservation[] | null = null;
  @state() asking: Asking | null = null;
  @state() form: CaptureForm = nothingTyped;
  /** The rule that the amount breaks, in words; null when it is valid. */
  @state() problem: string | null = null;
  /** Why the last request was refused, in words. */
  @state() refused: string | null = null;
  @state() busy = false;
  readonly #toasts = new Toasts(this);

  private get words(): ManagerTexts {
    return managerTexts[this.language];
  }

  override opened(): void {
    this.loadEvery(askedEveryMs, () => void this.#load());
  }

  override covered(): void {
    this.open = null;
  }

  async #load(): Promise<void> {
    const answer = await this.ask('reservations', {});
    if (answer.ok) this.open = answer.value.reservations;
  }

  protected override render(): TemplateResult {
    const { reservations } = this.words;
    return html`<section class="page" aria-labelledby="reservations-title">
        <h1 class="title" id="reservations-title">${frameTexts[this.language].page.reservations}</h1>
        <p class="lead">${reservations.lead}</p>
        ${
          this.open === null
            ? progress({
                language: this.language,
                label: this.texts.design.working,
                fraction: null,
              })
            : this.open.length === 0
              ? empty({ icon: 'lock', ...reservations.none })
              : html`<ul data-testid="reservations">
                  ${this.open.map((one) => this.#row(one))}
                </ul>`
        }
      </section>
      ${this.asking === null ? nothing : this.asking.kind === 'capture' ? this.#askCapture(this.asking.of) : this.#askCancel(this.asking.of)}
      ${this.#toasts.render(this.language)}`;
  }

  #row(one: OpenReservation): TemplateResult {
    const { reservations, refunds } = this.words;
    const money = formatMoney(this.language, one);
    const ends =
      one.expiresAtMs === null
        ? reservations.endsUnknown
        : `${reservations.ends} ${formatDateTime(this.language, one.expiresAtMs)}`;
    return html`<li class="card spread" data-testid="reservation" data-sale=${one.saleId}>
      <div class="about">
        <strong class="heading number">${money}</strong>
        <span class="ends number ${one.isEndingSoon ? 'soon' : ''}">${icon(one.isEndingSoon ? 'warning' : 'calendar')} ${ends}${one.isEndingSoon ? html` · ${reservations.soon}` : nothing}</span>
        <span class="soft number">${reservations.reservedAt} ${formatDateTime(this.language, one.startedAtMs)} · ${refunds.facts.receipt} ${one.receiptNumber} · ${one.laneName}</span>
        <span class="soft mono">${one.orderId}</span>
      </div>
      <span class="row">
        <button
          class="primary"
          aria-label="${reservations.capture}: ${money}"
          data-testid="capture"
          @click=${() => this.#begin({ kind: 'capture', of: one })}
        >${icon('check')} ${reservations.capture}</button>
        <button aria-label="${reservations.cancel}: ${money}" data-testid="cancel" @click=${() => this.#begin({ kind: 'cancel', of: one })}>${icon('close')} ${reservations.cancel}</button>
      </span>
    </li>`;
  }

  #askCapture(of: OpenReservation): TemplateResult {
    const { reservations: words } = this.words;
    const money = formatMoney(this.language, of);
    const amountMinor = amountInForm(this.language, this.form, of);
    return dialog({
      language: this.language,
      title: words.captureTitle({ amount: money }),
      size: 'medium',
      visible: this.visible,
      onClose: () => this.#end(),
      body: html`<div class="stack" data-testid="capture-form">
        ${of.partialCapturePossible ? this.#howMuch(of) : html`<p>${words.wholeOnly}</p>`}
        ${this.refused === null ? notice({ kind: 'warning', body: captureWarning(this.language, this.form) }) : notice({ kind: 'error', body: this.refused })}
      </div>`,
      actions: html`<button data-testid="capture-back" @click=${() => this.#end()}>${words.back}</button>
        <button class="primary" data-testid="capture-confirm" data-decides aria-busy=${this.busy} @click=${() => void this.#capture(of)}>${icon('check')} ${
          amountMinor === null
            ? words.capture
            : words.confirm({ amount: formatMoney(this.language, { ...of, amountMinor }) })
        }</button>`,
    });
  }

  #howMuch(of: OpenReservation): TemplateResult {
    const { reservations: words } = this.words;
    const amount = formatMoney(this.language, of);
    return html`${choice({
      id: 'capture-how-much',
      legend: words.howMuch,
      value: this.form.howMuch,
      options: [
        { value: 'all', title: words.all({ amount }) },
        { value: 'part', title: words.part },
      ],
      problem: null,
      onChange: (howMuch) => this.#change({ howMuch: howMuch === 'part' ? 'part' : 'all' }),
    })}
    ${
      this.form.howMuch === 'all'
        ? nothing
        : field({
            id: 'capture-amount',
            label: words.amount,
            hint: `${words.amountHint({ amount })} · ${fieldRule(this.language)}`,
            value: this.form.amount,
            inputMode: 'decimal',
            placeholder: formatAmount(this.language, 0),
            suffix: of.currency,
            problem: this.problem,
            focused: true,
            onInput: (typed) => this.#change({ amount: typed }),
          })
    }`;
  }

  #askCancel(of: OpenReservation): TemplateResult {
    const { reservations: words } = this.words;
    return dialog({
      language: this.language,
      title: words.cancelTitle({ amount: formatMoney(this.language, of) }),
      visible: this.visible,
      onClose: () => this.#end(),
      body: html`<p>${words.cancelBody}</p>
        ${this.refused === null ? nothing : notice({ kind: 'error', body: this.refused })}`,
      actions: html`<button data-testid="cancel-back" @click=${() => this.#end()}>${words.back}</button>
        <button class="danger" data-testid="cancel-confirm" data-decides aria-busy=${this.busy} @click=${() => void this.#cancel(of)}>${icon('close')} ${words.cancel}</button>`,
    });
  }

  #begin(asking: Asking): void {
    this.#change(nothingTyped);
    this.asking = asking;
  }

  #change(change: Partial<CaptureForm>): void {
    this.form = { ...this.form, ...change };
    this.problem = null;
    this.refused = null;
  }

  #end(): void {
    if (!this.busy) this.asking = null;
  }

  async #capture(of: OpenReservation): Promise<void> {
    const checked = checkCapture(this.language, this.form, of);
    this.problem = checked.problem;
    if (checked.problem !== null || this.busy) return;
    const { amountMinor } = checked;
    const { laneId, saleId } = of;
    const answer = await this.#doing(
      this.ask('captureReservation', { laneId, saleId, amountMinor }),
    );
    if (answer.ok)
      this.#done(
        this.words.reservations.captured({
          amount: formatMoney(this.language, { ...of, amountMinor }),
        }),
      );
    else this.#tell(answer.code);
  }

  async #cancel(of: OpenReservation): Promise<void> {
    if (this.busy) return;
    const { laneId, saleId } = of;
    const answer = await this.#doing(this.ask('cancelReservation', { laneId, saleId }));
    if (answer.ok)
      this.#done(this.words.reservations.cancelled({ amount: formatMoney(this.language, of) }));
    else this.#tell(answer.code);
  }

  #tell(code: Refused): void {
    const { reservations } = this.words;
    const { refusal } = frameTexts[this.language];
    switch (code) {
      case 'notHeld':
      case 'amountTooSmall':
      case 'amountTooHigh':
      case 'wholeAmountOnly':
      case 'laneNotReady':
      case 'storageFailed':
        this.refused = reservations.refused[code];
        break;
      case 'pinNeeded':
        // Nothing was sent. The sign-in covers the dialog, which keeps what was typed.
        break;
      default:
        this.refused = refusal[code];
    }
    void this.#load();
  }

  async #doing<Result>(answer: Promise<Result>): Promise<Result> {
    this.busy = true;
    try {
      return await answer;
    } finally {
      this.busy = false;
    }
  }

  #done(text: string): void {
    this.#end();
    this.#toasts.show({ kind: 'success', text });
    void this.#load();
  }
}
customElements.define('tb-reservations-page', ReservationsPage);
