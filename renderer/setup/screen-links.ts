import { html, type TemplateResult } from 'lit';
import type { Bridge } from '../../preload/contract.ts';
import { frameTexts } from '../locales/frame.ts';
import type { Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';
import { passingOn } from '../manager/people/pass-on.ts';
import { icon } from '../ui/icons.ts';

export const cashierAt = (language: Language, laneId: string): string =>
  `../cashier/index.html?${new URLSearchParams({ lane: laneId, lang: language }).toString()}`;

export const cashierLink = (language: Language, laneId: string): TemplateResult =>
  html`<a class="button quiet" data-testid="to-cashier" href=${cashierAt(language, laneId)}>${icon('till')} ${frameTexts[language].toCashier}</a>`;

/** Leads back to the manager's screen without a PIN. */
export const managerLink = (language: Language, bridge: Pick<Bridge, 'ask'>): TemplateResult =>
  html`<a
    class="button quiet"
    data-testid="to-manager"
    href="../manager/index.html?lang=${language}"
    @click=${passingOn(bridge)}
  >${icon('lock')} ${screenTexts[language].home.manager}</a>`;
