import { html, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { property } from 'lit/decorators.js';
import { choice } from '../ui/choice.ts';
import { icon } from '../ui/icons.ts';
import { type Language, languageNames, languages } from '../locales/i18n.ts';
import { StepPage, stepStyles } from './step-page.ts';
import { designStyles } from '../ui/styles.ts';
import styles from './language-step.css?inline';

/**
 * The shop's language. The setup screen changes to it at once. @fires speak with the language,
 * @fires import
 */
class LanguageStep extends StepPage<{ language: Language | null }> {
  static override styles = [designStyles, stepStyles, unsafeCSS(styles)];
  /** Whether a backup can be restored here. */
  @property({ attribute: false }) canRestore = false;
  protected readonly step = 'language';

  protected filledIn(): { language: Language | null } {
    return { language: this.draft?.language ?? null };
  }

  protected body(): TemplateResult {
    return html`${choice({
      id: 'shop-language',
      legend: this.words.language.legend,
      value: this.form.language ?? this.language,
      options: languages.map((value) => ({ value, title: languageNames[value] })),
      onChange: (value) => {
        const language = value;
        this.set({ language });
        this.dispatchEvent(new CustomEvent<Language>('speak', { detail: language }));
      },
    })}
    ${this.canRestore ? html`<div class="row"><button data-testid="restore" @click=${() => this.dispatchEvent(new CustomEvent('restore'))}>${icon('lock')} ${this.words.language.restore}</button></div>` : nothing}`;
  }

  protected foot() {
    return {
      next: this.words.next,
      beside: html`<button class="quiet" data-testid="import" @click=${() => this.dispatchEvent(new CustomEvent('import'))}>${icon('upload')} ${this.words.overview.import}</button>`,
      onNext: () =>
        void this.save({ step: 'language', value: this.form.language ?? this.language }),
    };
  }
}
customElements.define('tb-language-step', LanguageStep);
