import {
  html,
  LitElement,
  nothing,
  type PropertyValues,
  type TemplateResult,
  unsafeCSS,
} from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Bridge } from '../../../preload/contract.ts';
import type { RefusalOf } from '../../../preload/procedures.ts';
import type { SaleStory } from '../../../preload/procedures/refunds.ts';
import { fieldRule } from '../../ui/amount.ts';
import { choice } from '../../ui/choice.ts';
import { dialog } from '../../ui/dialog.ts';
import { field } from '../../ui/field.ts';
import { icon } from '../../ui/icons.ts';
import { notice } from '../../ui/notice.ts';
import { designStyles } from '../../ui/styles.ts';
import { formatAmount, formatMoney, type Language } from '../../locales/i18n.ts';
import { frameTexts } from '../../locales/frame.ts';
import { managerTexts } from '../../locales/manager.ts';
import { screenTexts } from '../../locales/screens.ts';
import { notRefundableWords } from './payment-story.ts';
import {
  amountInForm,
  checkRefund,
  type RefundForm,
  type RefundProblems,
  tooHighWords,
} from './refund-form.ts';
import styles from './refund-dialog.css?inline';

/**
 * Asks for the amount and the reason of a refund, and sends it. A dialog stands for one refund,
 * which is sent with the same id each time.
 * @fires refunded when the refund is on disk
 * @fires closed when the dialog is dismissed
 */
class RefundDialog extends LitElement {
  static override styles = [designStyles, unsafeCSS(styles)];

  @property({ attribute: false }) bridge!: Pick<Bridge, 'ask'>;
  @property({ attribute: false }) language!: Language;
  @property({ attribute: false }) story!: SaleStory;
  /** Whether the dialog is shown. A hidden one keeps its input. */
  @property({ attribute: false }) visible!: boolean;
  @state() form: RefundForm = { howMuch: 'all', amount: '', why: null, note: '' };
  @state() problems: RefundProblems = {};
  /** Why the refund was refused, unless that concerns a field. */
  @state() refused: string | null = null;
  /**
   * What was left when the dialog became visible, so that the amount on the button does not change
   * just before it is pressed.
   */
  @state() leftMinor = 0;
  @state() busy = false;
  readonly #actionId = crypto.randomUUID();
  /**
   * Whether the refund was sent once. The remaining amount then stays, because sending again is the
   * same refund only with the same amount.
   */
  #wasSent = false;

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('visible') && this.visible && !this.#wasSent)
      this.leftMinor = this.story.leftMinor;
  }

  protected override render(): TemplateResult {
    const { dialog: words } = managerTexts[this.language].refunds;
    return dialog({
      language: this.language,
      title: words.title({
        amount: this.#money(this.story.sale.capturedMinor ?? this.story.sale.amountMinor),
      }),
      size: 'medium',
      visible: this.visible,
      onClose: () => this.#close(),
      body: html`<div class="stack" data-testid="refund-form">${this.#howMuch()} ${this.#why()} ${this.#toKnow()}</div>`,
      actions: html`<button data-testid="refund-back" @click=${() => this.#close()}>${words.back}</button>
        <button class="primary" data-testid="refund-confirm" data-decides aria-busy=${this.busy} @click=${() => void this.#send()}>${icon('refund')} ${this.#confirmWords()}</button>`,
    });
  }

  #howMuch(): TemplateResult {
    const { dialog: words } = managerTexts[this.language].refunds;
    const { form, problems } = this;
    const left = this.#money(this.leftMinor);
    return html`${choice({
      id: 'refund-how-much',
      legend: words.howMuch,
      value: form.howMuch,
      options: [
        { value: 'all', title: words.all({ amount: left }) },
        { value: 'part', title: words.part },
      ],
      problem: form.howMuch === 'all' ? (problems.amount ?? null) : null,
      onChange: (howMuch) => this.#change({ howMuch: howMuch === 'part' ? 'part' : 'all' }),
    })}
    ${
      form.howMuch === 'all'
        ? nothing
        : field({
            id: 'refund-amount',
            label: words.amount,
            hint: `${words.amountHint({ left })} · ${fieldRule(this.language)}`,
            value: form.amount,
            inputMode: 'decimal',
            placeholder: formatAmount(this.language, 0),
            suffix: this.story.sale.currency,
            problem: problems.amount ?? null,
            focused: true,
            onInput: (amount) => this.#change({ amount }),
          })
    }`;
  }

  #why(): TemplateResult {
    const { dialog: words } = managerTexts[this.language].refunds;
    const { form, problems } = this;
    return html`${choice({
      id: 'refund-why',
      legend: words.why,
      value: form.why === null ? null : String(form.why),
      options: [
        ...Object.values(words.reasons).map((title, index) => ({ value: String(index), title })),
        { value: 'other', title: words.other },
      ],
      problem: problems.why ?? null,
      onChange: (why) => this.#change({ why: why === 'other' ? 'other' : Number(why) }),
    })}
    ${
      form.why === 'other'
        ? field({
            id: 'refund-note',
            label: words.note,
            hint: words.noteHint,
            value: form.note,
            rows: 2,
            problem: problems.note ?? null,
            focused: true,
            onInput: (note) => this.#change({ note }),
          })
        : nothing
    }`;
  }

  #toKnow(): TemplateResult {
    if (this.refused !== null)
      return html`<div data-testid="refund-refused">${notice({ kind: 'error', body: this.refused })}</div>`;
    return notice({ kind: 'warning', body: managerTexts[this.language].refunds.dialog.warning });
  }

  /** The button names the amount as soon as it is known. */
  #confirmWords(): string {
    const { dialog: words, refund } = managerTexts[this.language].refunds;
    const amountMinor = amountInForm(this.language, this.form, this.leftMinor);
    return amountMinor === null || amountMinor === 0 || amountMinor > this.leftMinor
      ? refund
      : words.confirm({ amount: this.#money(amountMinor) });
  }

  #money(amountMinor: number): string {
    return formatMoney(this.language, { amountMinor, currency: this.story.sale.currency });
  }

  /** Changing a field removes its mark of an error. */
  #change(change: Partial<RefundForm>): void {
    const { amount = null, why = null, note = null } = this.problems;
    this.form = { ...this.form, ...change };
    this.problems = {
      ...(amount === null || 'amount' in change || 'howMuch' in change ? {} : { amount }),
      ...(why === null || 'why' in change ? {} : { why }),
      ...(note === null || 'note' in change || 'why' in change ? {} : { note }),
    };
    this.refused = null;
  }

  #close(): void {
    if (!this.busy) this.dispatchEvent(new CustomEvent('closed'));
  }

  async #send(): Promise<void> {
    if (this.busy) return;
    const checked = checkRefund(this.language, this.form, this.leftMinor);
    if (checked.problems !== null) {
      this.problems = checked.problems;
      await this.#showProblem();
      return;
    }
    this.busy = true;
    this.#wasSent = true;
    this.refused = null;
    const { saleId } = this.story.sale;
    const answer = await this.bridge.ask('refund', {
      actionId: this.#actionId,
      saleId,
      ...checked.refund,
    });
    this.busy = false;
    if (answer.ok) {
      this.dispatchEvent(new CustomEvent('refunded'));
      return;
    }
    if (typeof answer.facts['leftMinor'] === 'number') this.leftMinor = answer.facts['leftMinor'];
    this.#tell(answer.code, answer.field, answer.facts);
    await this.#showProblem();
  }

  #tell(
    code: RefusalOf<'refund'>,
    broken: string | null,
    facts: Readonly<Record<string, string | number>>,
  ): void {
    const { refused } = managerTexts[this.language].refunds;
    switch (code) {
      case 'amountTooHigh':
        this.problems = { amount: tooHighWords(screenTexts[this.language]) };
        break;
      case 'notPaid':
      case 'paymentOpen':
      case 'held':
      case 'allRefunded':
      case 'refundOpen':
      case 'tooOld':
        this.refused = notRefundableWords(this.language, code, {
          sale: this.story.sale,
          refundDays: this.story.refundDays,
          openMinor: Number(facts['openMinor'] ?? 0),
          askAgainMinutes:
            typeof facts['askAgainMinutes'] === 'number' ? facts['askAgainMinutes'] : null,
        });
        break;
      case 'invalid':
        if (broken === 'note')
          this.problems = { note: managerTexts[this.language].refunds.dialog.noteTooLong };
        else this.refused = refused.invalid;
        break;
      case 'actionUsed':
      case 'laneNotReady':
      case 'serviceUnreachable':
      case 'storageFailed':
      case 'serviceSilent':
      case 'disconnected':
        this.refused = refused[code];
        break;
      case 'pinNeeded':
        // The call was refused. The sign-in covers the dialog, which keeps its input.
        break;
      default:
        this.refused = frameTexts[this.language].refusal[code];
    }
  }

  async #showProblem(): Promise<void> {
    await this.updateComplete;
    const broken = this.renderRoot.querySelector<HTMLElement>(
      '[data-broken] input:checked, [data-broken] input, [data-broken] textarea',
    );
    (
      broken ?? this.renderRoot.querySelector<HTMLElement>('[data-testid="refund-refused"]')
    )?.scrollIntoView({ block: 'nearest' });
    broken?.focus();
  }
}
customElements.define('tb-refund-dialog', RefundDialog);
