import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import type { RefundOfSale, SaleStory } from '../../../preload/procedures/refunds.ts';
import { qr } from '../../ui/qr.ts';
import { formatDateTime, formatMoney, type Language } from '../../locales/i18n.ts';
import { managerTexts } from '../../locales/manager.ts';

/** What the customer gets of a refund. Its code is the payment's order id: scanned, it finds the payment again. */
class RefundReceipt extends LitElement {
  static override properties = { language: { attribute: false }, story: { attribute: false }, refund: { attribute: false } };
  static override styles = css`
    :host {
      display: block;
      max-width: 90mm;
      margin: 0 auto;
      color: var(--ink);
      line-height: 1.4;
    }
    h1,
    p {
      margin: 0 0 3mm;
      text-align: center;
    }
    h1 {
      font-size: var(--text-title);
    }
    .from {
      font-size: var(--text-lead);
      font-weight: 600;
      overflow-wrap: anywhere;
    }
    .amount {
      padding: 3mm 0;
      border: solid var(--line);
      border-width: 1px 0;
      font-size: 18pt;
      font-weight: 750;
      font-variant-numeric: tabular-nums;
    }
    dl {
      display: grid;
      grid-template-columns: minmax(0, 1fr) auto;
      gap: 1mm 4mm;
      margin: 0 0 4mm;
      font-variant-numeric: tabular-nums;
    }
    dt {
      color: var(--ink-soft);
    }
    dd {
      margin: 0;
      text-align: end;
      white-space: nowrap;
    }
    /* As long as it may be: on a line of its own. */
    .long {
      grid-column: 1 / -1;
      margin-bottom: 1mm;
      white-space: normal;
      overflow-wrap: anywhere;
    }
    .name {
      white-space: normal;
    }
    .code {
      width: 28mm;
      margin: 0 auto 3mm;
    }
    .qr {
      display: block;
      width: 100%;
    }
  `;

  declare language: Language;
  declare story: SaleStory;
  declare refund: RefundOfSale;

  protected override render(): TemplateResult {
    const { language, refund } = this;
    const { receipt: words } = managerTexts[language].refunds;
    const { sale, laneName, shopName } = this.story;
    return html`${shopName === null ? nothing : html`<p class="from">${shopName}</p>`}
      <h1>${words.title}</h1>
      ${shopName === null ? html`<p class="from">${laneName}</p>` : nothing}
      <p class="amount">${words.refunded} ${formatMoney(language, refund)}</p>
      <dl>
        <dt>${words.number}</dt><dd>${refund.receiptNumber}</dd>
        <dt>${words.refunded}</dt><dd>${formatDateTime(language, refund.atMs)}</dd>
        <dt>${words.by}</dt><dd class="name">${refund.by ?? words.atTill}</dd>
        ${refund.note === null ? nothing : html`<dt>${words.why}</dt><dd class="long">${refund.note}</dd>`}
        <dt>${words.refundOrder}</dt><dd class="long">${refund.refundOrderId}</dd>
      </dl>
      <dl>
        <dt>${words.paid}</dt><dd>${formatMoney(language, sale)}</dd>
        <dt>${words.paidAt}</dt><dd>${formatDateTime(language, sale.atMs)}</dd>
        <dt>${words.original}</dt><dd>${sale.receiptNumber}</dd>
        <dt>${words.order}</dt><dd>${sale.orderId}</dd>
      </dl>
      <div class="code">${qr(sale.orderId, words.scan)}</div>
      <p>${words.keep}</p>`;
  }
}
customElements.define('tb-refund-receipt', RefundReceipt);
