import { css } from 'lit';

export const refundsStyles = css`
  :host {
    container: refunds / inline-size;
    min-height: 0;
  }
  .sides {
    display: grid;
    grid-template: minmax(0, 1fr) / minmax(0, 1fr);
    height: 100%;
  }
  .side {
    display: flex;
    flex-direction: column;
    gap: var(--space-4);
    min-width: 0;
    padding: var(--space-4) clamp(16px, 2.2vw, 40px) var(--space-5);
    overflow-y: auto;
  }
  .side > .title {
    font-weight: 700;
  }
  .search {
    display: grid;
    gap: var(--space-4);
  }
  /* The button beside the box, whatever stands above and below it. */
  .find {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: var(--space-2) var(--space-3);
  }
  .find .field {
    display: contents;
  }
  .find .field > * {
    grid-column: 1 / -1;
  }
  .find .field > .field-box {
    grid-column: 1;
  }
  .find > button {
    grid-area: 3 / 2;
  }
  .filters {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-3);
  }
  .filters > * {
    flex: 1 1 11rem;
  }
  .filters > :has(select) {
    flex-basis: 12rem;
  }
  .filters :is(input, select) {
    font-size: var(--text-body);
  }
  .problem {
    display: flex;
    gap: 0.5em;
    margin: 0;
    color: var(--bad);
    font-weight: 600;
    line-height: 1.4;
  }
  .problem:empty {
    display: none;
  }
  .above {
    min-height: var(--touch-small);
  }
  .count {
    margin: 0;
  }
  .clear {
    min-height: var(--touch-small);
  }
  .more {
    align-self: center;
  }
  tb-payment[hidden] {
    display: none;
  }
  .choose {
    display: grid;
    height: 100%;
    place-items: center;
  }
  /* One beside the other where both have room; else the payment stands in front of the list. */
  @container refunds (min-width: 66rem) {
    .sides {
      grid-template-columns: minmax(30rem, 2fr) 3fr;
    }
    .side.detail {
      /* There is nothing to go back to. */
      --go-back: none;
      border-inline-start: 1px solid var(--line);
    }
  }
  @container refunds (max-width: 65.99rem) {
    .sides[data-open] .side.list,
    .sides:not([data-open]) .side.detail {
      display: none;
    }
  }
`;
