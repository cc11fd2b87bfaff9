import { css, html, type TemplateResult } from 'lit';
import { choice } from '../ui/choice.ts';
import { icon } from '../ui/icons.ts';
import { type Language, languages } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';
import { StepPage } from './step-page.ts';
import { stepStyles } from './setup-styles.ts';
import { designStyles } from '../ui/styles.ts';

/** What this shop speaks. The screen speaks it at once. @fires speak with the language, @fires import */
class LanguageStep extends StepPage<{ language: Language | null }> {
  static override styles = [
    designStyles,
    stepStyles,
    css`
      .choice-cards {
        grid-template-columns: repeat(2, minmax(0, 1fr));
        max-width: 36rem;
      }
    `,
  ];
  protected readonly step = 'language';

  protected filledIn(): { language: Language | null } {
    return { language: this.draft?.language ?? null };
  }

  protected body(): TemplateResult {
    return html`${choice({
      id: 'shop-language',
      legend: this.words.language.legend,
      value: this.form.language ?? this.language,
      options: languages.map((value) => ({ value, title: screenTexts[value].languageName })),
      onChange: (value) => {
        const language = value as Language;
        this.set({ language });
        this.dispatchEvent(new CustomEvent<Language>('speak', { detail: language }));
      },
    })}`;
  }

  protected foot() {
    return {
      next: this.words.next,
      beside: html`<button class="quiet" data-testid="import" @click=${() => this.dispatchEvent(new CustomEvent('import'))}>${icon('upload')} ${this.words.overview.import}</button>`,
      onNext: () => void this.save({ step: 'language', value: this.form.language ?? this.language }),
    };
  }
}
customElements.define('tb-language-step', LanguageStep);
