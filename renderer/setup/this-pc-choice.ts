import { html, LitElement, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Bridge } from '../../preload/contract.ts';
import type { AnswerTo } from '../../preload/procedures.ts';
import type { ThisPcChoices } from '../../preload/procedures/this-pc.ts';
import { frameTexts } from '../locales/frame.ts';
import type { Language } from '../locales/i18n.ts';
import { managerTexts } from '../locales/manager.ts';
import { chosenWindows } from '../manager/this-pc/chosen-windows.ts';
import { keyboardChoice } from '../manager/this-pc/keyboard-choice.ts';
import styles from '../manager/this-pc/this-pc-page.css?inline';
import { checkbox } from '../ui/checkbox.ts';
import { notice } from '../ui/notice.ts';
import { designStyles } from '../ui/styles.ts';

/**
 * What the windows of this computer show once the first lane is in use. Only the app answers: in a
 * browser nothing is shown.
 */
class ThisPcChoice extends LitElement {
  static override styles = [designStyles, unsafeCSS(styles)];

  @property({ attribute: false }) bridge!: Pick<Bridge, 'ask'>;
  @property({ attribute: false }) language!: Language;
  /** The last one that was not refused. */
  @state() kept: Extract<AnswerTo<'thisPc'>, { ok: true }> | null = null;
  @state() refused: Extract<AnswerTo<'changeThisPc'>, { ok: false }> | null = null;

  protected override firstUpdated(): void {
    void this.#show(this.bridge.ask('thisPc', {}));
  }

  /** Nothing takes no place among the cards. */
  protected override updated(): void {
    this.hidden = this.renderRoot.childElementCount === 0;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { thisPc: words } = managerTexts[this.language];
    if (this.kept === null) {
      // Without a manager, somebody has to be made one first.
      const isLater = this.refused?.code === 'pinNeeded' && window.tillbeacon !== undefined;
      return isLater ? notice({ kind: 'info', body: words.chosenLater }) : nothing;
    }
    const thisPc = this.kept.value;
    const { kiosk, screenKeyboard } = thisPc.choices;
    return html`<section class="stack" data-testid="this-pc" aria-label=${frameTexts[this.language].page.thisPc}>
      ${chosenWindows({ thisPc, lanes: [], words: words.windows, onChange: (windows) => this.#change({ windows }) })}
      <div class="card stack">
        ${checkbox({ id: 'kiosk', label: words.looks.kiosk, hint: words.looks.kioskHint, checked: kiosk, onChange: (chosen) => this.#change({ kiosk: chosen }) })}
        ${keyboardChoice({ chosen: screenKeyboard, words: words.looks, onChange: (chosen) => this.#change({ screenKeyboard: chosen }) })}
      </div>
      ${this.refused === null ? nothing : notice({ kind: 'error', body: this.#why(this.refused) })}
    </section>`;
  }

  #why({ field, code }: NonNullable<ThisPcChoice['refused']>): string {
    return field === 'windows'
      ? managerTexts[this.language].thisPc.windows.notOnlyCustomer
      : frameTexts[this.language].refusal[code];
  }

  #change(changed: Partial<ThisPcChoices>): void {
    void this.#show(this.bridge.ask('changeThisPc', changed));
  }

  async #show(answer: Promise<AnswerTo<'changeThisPc'>>): Promise<void> {
    const told = await answer;
    this.refused = told.ok ? null : told;
    // A control that was refused shows again what is in use.
    this.kept = told.ok ? told : this.kept && { ...this.kept };
  }
}
customElements.define('tb-setup-this-pc', ThisPcChoice);
