import { html, LitElement, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { property } from 'lit/decorators.js';
import type { RefundOfSale, SaleStory } from '../../../preload/procedures/refunds.ts';
import { qr } from '../../ui/qr.ts';
import { formatDateTime, formatMoney, type Language } from '../../locales/i18n.ts';
import { shopLines, testMark } from '../shop-head.ts';
import styles from './refund-receipt.css?inline';
import { managerTexts } from '../../locales/manager.ts';
import { screenTexts } from '../../locales/screens.ts';

/**
 * The customer's receipt of a refund. Its QR code is the payment's order id, by which a scan finds
 * the payment.
 */
class RefundReceipt extends LitElement {
  static override styles = unsafeCSS(styles);

  @property({ attribute: false }) language!: Language;
  @property({ attribute: false }) story!: SaleStory;
  @property({ attribute: false }) refund!: RefundOfSale;

  protected override render(): TemplateResult {
    const { language, refund } = this;
    const { receipt: words } = managerTexts[language].refunds;
    const { refund: onItsWay, notConfirmed } = screenTexts[language];
    const { sale, laneName, shop } = this.story;
    const isTest = shop.isTest ?? sale.isTest;
    return html`${testMark(language, isTest)} ${shop.name === null ? nothing : html`<p class="from">${shop.name}</p>`} ${shopLines(language, shop)}
      <h1>${words.title}</h1>
      ${shop.name === null ? html`<p class="from">${laneName}</p>` : nothing}
      <p class="amount">${words.refunded} ${formatMoney(language, refund)}</p>
      <dl>
        <dt>${words.number}</dt><dd>${refund.receiptNumber}</dd>
        <dt>${words.refunded}</dt><dd>${formatDateTime(language, refund.atMs)}</dd>
        <dt>${words.by}</dt><dd class="name">${refund.by ?? words.atTill}</dd>
        ${refund.note === null ? nothing : html`<dt>${words.why}</dt><dd class="long">${refund.note}</dd>`}
        <dt>${words.refundOrder}</dt><dd class="long">${refund.refundOrderId}</dd>
      </dl>
      <dl>
        <dt>${words.paid}</dt><dd>${formatMoney(language, { ...sale, amountMinor: sale.capturedMinor ?? sale.amountMinor })}</dd>
        ${isLess(sale) ? html`<dt>${words.reserved}</dt><dd>${formatMoney(language, sale)}</dd>` : nothing}
        ${
          sale.state === 'elsewhere'
            ? nothing
            : html`<dt>${words.paidAt}</dt><dd>${formatDateTime(language, sale.atMs)}</dd>
                <dt>${words.original}</dt><dd>${sale.receiptNumber}</dd>`
        }
        <dt>${words.order}</dt><dd>${sale.orderId}</dd>
      </dl>
      <div class="code">${qr(sale.orderId, words.scan)}</div>
      <p>${refund.state === 'refunded' ? onItsWay.refunded.next : notConfirmed.refunded} ${words.keep}</p>
      ${testMark(language, isTest)}`;
  }
}
customElements.define('tb-refund-receipt', RefundReceipt);

/** Whether less of a reservation was captured than was reserved. */
const isLess = ({ amountMinor, capturedMinor }: SaleStory['sale']): boolean =>
  capturedMinor !== null && capturedMinor < amountMinor;
