import { html, nothing, type TemplateResult, unsafeCSS } from 'lit';
import type { RefundOfSale, SaleStory, StoryLine } from '../../../preload/procedures/refunds.ts';
import { icon } from '../../ui/icons.ts';
import { notice } from '../../ui/notice.ts';
import {
  formatDate,
  formatDateTime,
  formatMoney,
  formatTimeWithSeconds,
  type Language,
} from '../../locales/i18n.ts';
import { managerTexts } from '../../locales/manager.ts';
import { isNotRefundedReason, notRefundedWords } from '../../locales/refund-words.ts';
import { screenTexts } from '../../locales/screens.ts';
import { personText } from '../../unsettled-text.ts';
import { byWhom, requesterIn } from './requested-by.ts';
import { refundChip } from './payment-rows.ts';
import { type MergedLine, mergedLines } from './merged-lines.ts';
import styles from './payment-story.css?inline';

/** The facts of a payment, those that are needed most often first. */
export function paymentFacts(
  language: Language,
  {
    sale,
    laneName,
    leftMinor,
    refundedElsewhereMinor,
    refundableUntilMs,
    notRefundable,
    reason,
  }: SaleStory,
): TemplateResult {
  const { facts, noPaymentId } = managerTexts[language].refunds;
  const money = (amountMinor: number): string =>
    formatMoney(language, { amountMinor, currency: sale.currency });
  const isNotPaid = notRefundable === 'notPaid' || notRefundable === 'held';
  return html`<dl class="facts">
    ${reason === null ? nothing : html`<dt>${facts.reason}</dt><dd>${screenTexts[language].notPaid[reason].what}</dd>`}
    <dt>${sale.state === 'elsewhere' ? facts.found : facts.time}</dt><dd class="number">${formatDateTime(language, sale.atMs)}</dd>
    ${
      sale.capturedMinor === null || sale.capturedMinor === sale.amountMinor
        ? nothing
        : html`<dt>${facts.captured}</dt><dd class="number" data-testid="captured">${money(sale.capturedMinor)}</dd>`
    }
    ${
      sale.state === 'elsewhere'
        ? nothing
        : html`<dt>${facts.lane}</dt><dd>${laneName}</dd>
            <dt>${facts.receipt}</dt><dd class="number">${sale.receiptNumber}</dd>`
    }
    ${refundedElsewhereMinor === null || refundedElsewhereMinor === 0 ? nothing : html`<dt>${facts.refundedElsewhere}</dt><dd class="number">${money(refundedElsewhereMinor)}</dd>`}
    ${sale.refundedMinor === 0 ? nothing : html`<dt>${facts.refunded}</dt><dd class="number">${money(sale.refundedMinor)}</dd>`}
    ${isNotPaid ? nothing : html`<dt>${facts.left}</dt><dd class="number" data-testid="left">${money(leftMinor)}</dd>`}
    ${isNotPaid || notRefundable === 'allRefunded' || refundableUntilMs === null ? nothing : html`<dt>${facts.until}</dt><dd class="number">${formatDate(language, refundableUntilMs)}</dd>`}
    <dt>${facts.order}</dt><dd class="mono">${sale.orderId}</dd>
    <dt>${facts.payment}</dt><dd class="mono">${sale.paymentId ?? noPaymentId}</dd>
  </dl>`;
}

/** Notices for payments and refunds that are decided but not confirmed, or that need a person. */
export function unsettledNotices(
  language: Language,
  { sale, story, refunds }: SaleStory,
): TemplateResult[] {
  const { unsettled } = screenTexts[language];
  const noticesOf = (
    refundOrderId: string | null,
    state: string,
    money: { amountMinor: number; currency: string },
  ): TemplateResult[] => {
    const amount = formatMoney(language, money);
    const words = unsettled[refundOrderId === null ? 'sale' : 'refund'];
    if (state === 'capturing')
      return [notice({ kind: 'info', body: `${amount} ${words.capture.what}` })];
    if (state === 'cancelling')
      return [notice({ kind: 'info', body: `${amount} ${words.cancel.what}` })];
    const needy = state === 'needsPerson' ? lastNeed(story, refundOrderId) : undefined;
    return needy === undefined
      ? []
      : [notice({ kind: 'error', body: `${amount} ${personWords(language, needy, sale)}` })];
  };
  return [
    ...noticesOf(null, sale.state, {
      ...sale,
      amountMinor: sale.capturedMinor ?? sale.amountMinor,
    }),
    ...refunds.flatMap((refund) => noticesOf(refund.refundOrderId, refund.state, refund)),
  ];
}

const lastNeed = (
  story: readonly StoryLine[],
  refundOrderId: string | null,
): StoryLine | undefined =>
  story.findLast((line) => line.event === 'personNeeded' && line.refundOrderId === refundOrderId);

/**
 * Whether the service took the refund and does not show it, so that the manager is asked what its
 * portal shows.
 */
export const isUnseen = (
  story: readonly StoryLine[],
  { state, refundOrderId }: RefundOfSale,
): boolean => state === 'needsPerson' && lastNeed(story, refundOrderId)?.reason === 'refundUnseen';

/** Why nothing can be refunded; for unsettled refunds also their amount and when to try again. */
export function notRefundableWords(
  language: Language,
  why: NonNullable<SaleStory['notRefundable']>,
  {
    sale,
    refundDays,
    openMinor,
    askAgainMinutes,
  }: Pick<SaleStory, 'sale' | 'refundDays' | 'openMinor' | 'askAgainMinutes'>,
): string {
  const { notRefundable, askAgain, seeToRefund } = managerTexts[language].refunds;
  if (why === 'tooOld') return notRefundable.tooOld({ days: refundDays });
  if (why !== 'refundOpen') return notRefundable[why];
  const amount = formatMoney(language, { amountMinor: openMinor, currency: sale.currency });
  return `${notRefundable[why]({ amount })} ${askAgainMinutes === null ? seeToRefund : askAgain({ minutes: askAgainMinutes })}`;
}

export interface RefundRowOptions {
  readonly language: Language;
  readonly refund: RefundOfSale;
  /** For how many days the provider refunds the payment. */
  readonly refundDays: number;
  /** See `isUnseen`. */
  readonly isUnseen: boolean;
  readonly onPrint: () => void;
  readonly onFound: (refunded: boolean) => void;
  readonly onCancel: () => void;
}

export function refundRow({
  language,
  refund,
  refundDays,
  isUnseen: asksPortal,
  onPrint,
  onFound,
  onCancel,
}: RefundRowOptions): TemplateResult {
  const words = managerTexts[language].refunds;
  const { what = '', next: then = '' } =
    refund.reason === null
      ? {}
      : notRefundedWords(screenTexts[language], { reason: refund.reason, refundDays });
  const next = refund.state === 'cancelling' ? screenTexts[language].notConfirmed.cancelled : then;
  const isDecided = refund.state === 'refunded' || refund.state === 'capturing';
  return html`<li class="refund" data-testid="refund" data-state=${refund.state}>
    <div class="spread">
      <strong class="number much">${formatMoney(language, refund)}</strong>
      <span role="status">${refundChip(language, refund.state)}</span>
    </div>
    ${what === '' ? nothing : html`<p><strong>${what}.</strong> ${next}</p>`}
    <p class="soft">
      <span class="number">${formatDateTime(language, refund.atMs)}</span> · ${byWhom(language, refund)} · ${words.facts.receipt}
      ${refund.receiptNumber}
    </p>
    ${refund.note === null ? nothing : html`<p><span class="soft">${words.facts.reason}:</span> ${refund.note}</p>`}
    ${
      asksPortal
        ? html`<p>${words.portal.ask}</p>
            <div class="row">
              <button data-testid="portal-shows" @click=${() => onFound(true)}>${icon('check')} ${words.portal.shows}</button>
              <button data-testid="portal-shows-none" @click=${() => onFound(false)}>${icon('cross')} ${words.portal.showsNone}</button>
            </div>`
        : nothing
    }
    ${
      !isDecided && !refund.canCancel
        ? nothing
        : html`<div class="row">
            ${isDecided ? html`<button data-testid="print-receipt" @click=${onPrint}>${icon('printer')} ${words.print}</button>` : nothing}
            ${refund.canCancel ? html`<button data-testid="cancel-refund" @click=${onCancel}>${icon('close')} ${words.cancelRefund}</button>` : nothing}
          </div>`
    }
  </li>`;
}

/** The payment's events in the journal, oldest first. */
export function storyLines(language: Language, saleStory: SaleStory): TemplateResult {
  let day = '';
  return html`<ol class="story" data-testid="story">
    ${mergedLines(saleStory.story).map((line) => {
      const before = day;
      day = formatDate(language, line.atMs);
      return html`${day === before ? nothing : html`<li class="day soft">${day}</li>`}${storyLine(language, saleStory, line)}`;
    })}
  </ol>`;
}

function storyLine(language: Language, saleStory: SaleStory, line: MergedLine): TemplateResult {
  const words = managerTexts[language].refunds;
  const refund = saleStory.refunds.find(
    ({ refundOrderId }) => refundOrderId === line.refundOrderId,
  );
  const byHand =
    refund === undefined && saleStory.by === 'cashier'
      ? valueOf(words.eventByHand, line.event)
      : undefined;
  const ofTest =
    refund === undefined && saleStory.sale.isTest && line.event === 'saleRequested'
      ? words.test.started
      : undefined;
  const ofRefund = refund === undefined ? undefined : valueOf(words.eventOfRefund, line.event);
  const event = ofTest ?? byHand ?? ofRefund ?? valueOf(words.event, line.event) ?? line.event;
  const reason = reasonIn(language, line, saleStory);
  const who = requesterIn(language, saleStory, line);
  return html`<li data-event=${line.event}>
    <span class="when soft number">${formatTimeWithSeconds(language, line.atMs)}</span>
    <span class="what"
      >${refund === undefined ? nothing : html`<span class="soft">${words.ofRefund} ${formatMoney(language, refund)}:</span> `}${event}${
        reason === null ? nothing : html`: <strong>${reason}</strong>`
      }${who === null ? nothing : html` <span class="soft">· ${who}</span>`}${
        line.count === 1
          ? nothing
          : html` <span class="soft number">· ${words.repeated({ count: line.count, last: formatTimeWithSeconds(language, line.lastMs) })}</span>`
      }${line.detail === null || line.detail === '' ? nothing : html`<span class="detail mono soft">${screenTexts[language].support}: ${line.detail}</span>`}</span
    >
  </li>`;
}

/** The reason of an event in the words of the cashier's screen, or the new amount. */
function reasonIn(
  language: Language,
  line: StoryLine,
  { sale, refundDays }: SaleStory,
): string | null {
  const { event, reason, refundOrderId, amountMinor } = line;
  if (event === 'personNeeded') return personWords(language, line, sale);
  if (event === 'foundInPortal')
    return managerTexts[language].refunds.portal[reason === 'refunded' ? 'shows' : 'showsNone'];
  if (amountMinor !== undefined)
    return formatMoney(language, { amountMinor, currency: sale.currency });
  if (reason === null) return null;
  const texts = screenTexts[language];
  const ofRefund = isNotRefundedReason(texts, reason)
    ? notRefundedWords(texts, { reason, refundDays })
    : undefined;
  const said = refundOrderId === null ? valueOf(texts.notPaid, reason) : ofRefund;
  return said?.what ?? valueOf(managerTexts[language].refunds.status, reason) ?? reason;
}

function personWords(
  language: Language,
  { reason, refundOrderId, movedMinor }: StoryLine,
  sale: SaleStory['sale'],
): string {
  const about = {
    ...sale,
    orderId: refundOrderId ?? sale.orderId,
    ...(movedMinor !== undefined && { movedMinor }),
  };
  return personText(language, reason ?? '', about) ?? reason ?? '';
}

/** undefined for a key that is not there, such as an event of a newer version. */
function valueOf<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

export const paymentStoryStyles = unsafeCSS(styles);
