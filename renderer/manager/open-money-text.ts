import type { OpenMoney } from '../../preload/procedures/day.ts';
import { formatMoney, type Language } from '../locales/i18n.ts';
import { managerTexts } from '../locales/manager.ts';
import { screenTexts } from '../locales/screens.ts';
import { personText, problems } from '../unsettled-text.ts';

/** Says what has happened to the money and what to do, like the cashier's banner. */
export function openMoneyText(language: Language, money: OpenMoney): string {
  const { open } = managerTexts[language].day;
  const what = `${money.kind === 'sale' ? open.payment : money.byTill ? open.refundAtTill : open.refund} · ${formatMoney(language, money)}`;
  if (money.intent === null) return `${what} ${open.underWay}`;
  if (money.intent === 'held') return `${what} ${open.held}`;
  const { unsettled, callSupport } = screenTexts[language];
  const words = unsettled[money.kind][money.intent];
  if (!money.needsPerson) return `${what} ${words.what}`;
  // Closings of earlier versions have no problem.
  const problem = money.problem ?? problems[money.kind][money.intent];
  return `${what} ${personText(language, problem, money)} ${callSupport.correlation({ correlationId: money.saleId })}`;
}
