import { css } from 'lit';

export const reconciliationStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 0;
    overflow: auto;
  }
  .reconciliation {
    flex: 1;
    display: flex;
    flex-direction: column;
    gap: var(--space-4);
    min-height: 0;
    padding: var(--space-4) clamp(16px, 2.2vw, 40px) var(--space-4);
  }
  .period {
    display: flex;
    flex-wrap: wrap;
    align-items: flex-start;
    gap: var(--space-3);
  }
  .period .field {
    min-width: 11rem;
  }
  .period > button {
    margin-top: 1.75rem;
  }
  .top {
    display: flex;
    flex-wrap: wrap;
    align-items: flex-start;
    justify-content: space-between;
    gap: var(--space-3) var(--space-5);
  }
  .side {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--space-2);
    margin-top: 1.75rem;
  }
  .cards {
    display: grid;
    grid-template-columns: minmax(0, 1.4fr) minmax(0, 1.25fr) minmax(0, 1fr) minmax(0, 1.05fr);
    gap: var(--space-3);
  }
  .figure-card {
    display: grid;
    align-content: start;
    justify-content: stretch;
    justify-items: start;
    container-type: inline-size;
    gap: var(--space-1);
    min-height: 0;
    padding: var(--space-3);
    border: 2px solid transparent;
    text-align: start;
    white-space: normal;
  }
  .figure-card > span:first-child {
    display: flex;
    align-items: center;
    gap: 0.4em;
    font-size: var(--text-small);
    font-weight: 500;
  }
  .figure {
    display: grid;
    font-size: min(1.45rem, calc(100cqi / (var(--characters) * 0.68)));
    font-weight: 720;
    letter-spacing: -0.02em;
    line-height: 1.2;
    white-space: nowrap;
  }
  .well {
    background: var(--good-soft);
    color: var(--good);
  }
  button.look {
    background: var(--warn-soft);
    color: var(--warn);
    border-color: currentColor;
  }
  .filters {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-2);
  }
  .filters button {
    min-height: var(--touch-small);
    padding: 0 1rem;
    border-radius: 2rem;
  }
  .filters button[aria-pressed='true'] {
    border-color: var(--busy);
    background: var(--busy-soft);
    color: var(--busy);
  }
  .count {
    font-variant-numeric: tabular-nums;
    opacity: 0.85;
  }
  .above {
    display: flex;
    flex-wrap: wrap;
    align-items: flex-end;
    justify-content: space-between;
    gap: var(--space-3);
  }
  .above .field {
    flex: 1 1 13rem;
    max-width: 24rem;
  }
  .above .field:first-child {
    flex-grow: 1.4;
  }
  .as-of {
    flex: none;
    margin-left: auto;
    text-align: end;
  }
  @media (max-width: 56rem) {
    .cards {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
    .above .field {
      flex-basis: 100%;
      max-width: none;
    }
  }
  .list {
    flex: 1;
    min-height: 17rem;
  }
  .list[aria-busy='true'] {
    opacity: 0.5;
  }
`;

export const storyStyles = css`
  :host {
    display: block;
  }
  .parts {
    display: grid;
    gap: var(--space-5);
  }
  .meaning {
    display: grid;
    justify-items: start;
    gap: var(--space-2);
    line-height: 1.45;
  }
  .parts .heading {
    display: flex;
    align-items: center;
    gap: 0.5em;
    margin-bottom: var(--space-3);
  }
  .parts p {
    margin: 0 0 var(--space-3);
  }
  .lines {
    display: grid;
    gap: 0;
    margin: 0 0 var(--space-4);
    padding: 0;
    list-style: none;
  }
  .lines li {
    display: grid;
    grid-template-columns: 12rem minmax(0, 1fr) auto;
    gap: var(--space-1) var(--space-4);
    padding: var(--space-2) 0;
    border-top: 1px solid var(--line);
    line-height: 1.4;
    overflow-wrap: anywhere;
  }
  .when {
    color: var(--ink-soft);
    font-variant-numeric: tabular-nums;
  }
  .much {
    font-weight: 650;
    text-align: end;
  }
  .bad {
    color: var(--bad);
  }
  @media (max-width: 40rem) {
    .lines li {
      grid-template-columns: minmax(0, 1fr) auto;
    }
    .when {
      grid-column: 1 / -1;
    }
  }
`;
