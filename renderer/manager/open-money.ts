import type { OpenMoney } from '../../preload/procedures/day.ts';
import { dayTexts } from '../locales/day/index.ts';
import { formatMoney, type Language, languages } from '../locales/i18n.ts';

/** What is the matter with it, and what to do: as the banner on the cashier's screen says it. */
export function openMoneyWords(language: Language, money: OpenMoney): string {
  const { open } = dayTexts[language];
  const what = `${money.kind === 'sale' ? open.payment : money.byTill ? open.refundAtTill : open.refund} · ${formatMoney(language, money)}`;
  if (money.intent === null) return `${what} ${open.underWay}`;
  const said = languages[language].unsettled[money.kind][money.intent];
  return `${what} ${money.needsPerson ? said.person(money.orderId) : said.what}`;
}
