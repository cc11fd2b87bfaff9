import { css } from 'lit';

export const dayStyles = css`
  :host {
    height: auto;
  }
  p {
    margin: 0;
  }
  .choose-day {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: var(--space-3);
  }
  .choose-day .field {
    flex: 0 1 13rem;
  }
  .choose-day .step {
    min-width: var(--touch);
    min-height: var(--touch);
    border-color: var(--line);
    background: var(--card);
  }
  .quick {
    display: flex;
    gap: var(--space-3);
  }
  .quick button[aria-pressed='true'] {
    border-color: var(--busy);
    background: var(--busy-soft);
    color: var(--busy);
  }
  .tiles {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr));
    gap: var(--space-4);
  }
  .tile {
    display: grid;
    gap: var(--space-1);
  }
  .tile {
    container-type: inline-size;
  }
  .tile strong {
    font-size: min(var(--text-title), calc(100cqi / (var(--characters) * 0.68)));
    white-space: nowrap;
    letter-spacing: -0.02em;
    line-height: 1.15;
  }
  .lanes {
    width: 100%;
    border-collapse: collapse;
    font-variant-numeric: tabular-nums;
  }
  .lanes :is(th, td) {
    padding: var(--space-3) var(--space-2);
    border-top: 1px solid var(--line);
    font-weight: 400;
    text-align: end;
  }
  .lanes :is(th, td) + td {
    white-space: nowrap;
    padding-inline-start: var(--space-4);
  }
  .lanes th:first-child {
    width: 99%;
    overflow-wrap: anywhere;
    text-align: start;
  }
  .lanes thead th {
    border-top: 0;
    color: var(--ink-soft);
    font-weight: 600;
  }
  .lanes tfoot :is(th, td) {
    border-top: 2px solid var(--ink-soft);
    font-weight: 650;
  }
  .settled {
    display: flex;
    align-items: center;
    gap: var(--space-3);
    color: var(--good);
    font-weight: 600;
  }
  .settled .icon {
    font-size: 1.5rem;
  }
  .open {
    display: grid;
    gap: var(--space-4);
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .open li {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto;
    align-items: center;
    gap: var(--space-4);
    line-height: 1.45;
  }
  .open li > .icon {
    font-size: 1.6rem;
    color: var(--warn);
  }
  .open li[data-person='true'] > .icon {
    color: var(--bad);
  }
  .open .words {
    display: grid;
    gap: var(--space-1);
    overflow-wrap: anywhere;
  }
  @media (max-width: 60rem) {
    .open li {
      grid-template-columns: auto minmax(0, 1fr);
    }
    .open li > .button {
      grid-column: 2;
      justify-self: start;
    }
  }
`;
