import { html, type TemplateResult } from 'lit';
import { icon } from '../ui/icons.ts';
import type { Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';

/**
 * Shown instead of the lane's state and not as a dialog, so that the banners below stay visible.
 */
export function leavePanel(
  language: Language,
  { stay, leave }: { readonly stay: () => void; readonly leave: () => void },
): TemplateResult {
  const texts = screenTexts[language].cashier.leave;
  return html`<section class="state leave" data-tone="warn" role="alertdialog" aria-labelledby="leave-title" aria-describedby="leave-says">
    <h1 id="leave-title">${icon('warning')} ${texts.title}</h1>
    <div id="leave-says">${Object.values(texts.says).map((sentence) => html`<p class="hint">${sentence}</p>`)}</div>
    <div class="row">
      <button class="stay primary" data-testid="stay" @click=${stay}>${texts.stay} <kbd>${screenTexts[language].cancelKey}</kbd></button>
      <button class="danger" data-testid="leave-now" data-decides @click=${leave}>${texts.leave}</button>
    </div>
  </section>`;
}
