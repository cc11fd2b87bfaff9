import { html, nothing, type TemplateResult } from 'lit';
import type { TestPaymentState } from '../../preload/procedures/setup-till.ts';
import type { Language } from '../locales/i18n.ts';
import { setupTexts } from '../locales/setup.ts';
import { notice } from '../ui/notice.ts';

interface HintOptions {
  readonly language: Language;
  /** The pages that may call. */
  readonly origins: readonly string[];
  /** The address that the page has to call. */
  readonly address: string;
  readonly refused: TestPaymentState['refusedPage'];
}

const reasons: Readonly<Record<string, 'origin' | 'host' | 'token'>> = {
  'origin-refused': 'origin',
  'host-refused': 'host',
  'token-missing': 'token',
  'too-many-guesses': 'token',
};

/** What keeps a till that is a web page from asking: a refusal of ours, or else its browser. */
export function pageHint({
  language,
  origins,
  address,
  refused,
}: HintOptions): TemplateResult | typeof nothing {
  const { page: texts } = setupTexts[language].test;
  if (refused !== null) {
    const { page, code } = refused;
    const why = texts.reason[reasons[code] ?? 'other'];
    const body = typeof why === 'string' ? why : why({ address, code });
    return html`<div data-testid="page-refused">${notice({ kind: 'warning', title: texts.refused({ page }), body })}</div>`;
  }
  if (origins.length === 0) return nothing;
  const insecure = origins.filter((origin) => origin.startsWith('http:') && !isHere(origin));
  const blocked = insecure.length === 0 ? '' : ` ${texts.insecure({ pages: insecure.join(', ') })}`;
  return html`<div data-testid="page-silent">${notice({ kind: 'info', title: texts.silent, body: `${texts.silentBody}${blocked}` })}</div>`;
}

/** Browsers trust a page of the computer that they run on. */
const isHere = (origin: string): boolean => /^http:\/\/(localhost|127\.0\.0\.1)(:|$)/.test(origin);
