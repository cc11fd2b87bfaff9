import type { OpenMoney } from '../../preload/procedures/day.ts';
import { dayTexts } from '../locales/day/index.ts';
import { formatMoney, type Language, languages } from '../locales/i18n.ts';

/** What has happened to the money and what to do, in the words of the banner on the cashier's screen. */
export function openMoneyText(language: Language, money: OpenMoney): string {
  const { open } = dayTexts[language];
  const what = `${money.kind === 'sale' ? open.payment : money.byTill ? open.refundAtTill : open.refund} · ${formatMoney(language, money)}`;
  if (money.intent === null) return `${what} ${open.underWay}`;
  const said = languages[language].unsettled[money.kind][money.intent];
  return `${what} ${money.needsPerson ? said.person(money.orderId) : said.what}`;
}
