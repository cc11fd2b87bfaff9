import { html, type TemplateResult } from 'lit';
import { icon } from '../design/icons.ts';
import type { Language } from '../i18n/i18n.ts';
import { setupTexts } from '../i18n/setup/index.ts';
import { setupCustomersTexts } from '../i18n/setup-customers/index.ts';

/** The way to the page of what the customers see, for who wants it. */
export function customersCard(language: Language, open: string, onOpen: () => void): TemplateResult {
  const { title } = setupTexts[language].step.customers;
  return html`<div class="card">
    <div class="stack"><h2 class="heading">${title}</h2><p class="soft">${setupCustomersTexts[language].about}</p></div>
    <div class="row"><button data-testid="customers" aria-label="${open}: ${title}" @click=${onOpen}>${icon('eye')} ${open}</button></div>
  </div>`;
}
