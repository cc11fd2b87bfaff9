import { css } from 'lit';

/** Words and room: what screens are put together from. */
export const layoutStyles = css`
  .page {
    display: flex;
    flex-direction: column;
    gap: var(--space-5);
    width: 100%;
    max-width: 75rem;
    margin: 0 auto;
    padding: var(--space-5) clamp(16px, 3vw, 48px) var(--space-6);
  }
  .card {
    padding: var(--space-5);
    border-radius: var(--radius);
    background: var(--card);
    box-shadow: var(--shadow);
    min-width: 0;
  }
  .stack {
    display: flex;
    flex-direction: column;
    gap: var(--space-4);
    min-width: 0;
  }
  .row,
  .spread {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--space-3);
    min-width: 0;
  }
  .spread {
    justify-content: space-between;
  }
  .grid {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 16rem), 1fr));
    gap: var(--gap);
  }
  .scroll {
    overflow-y: auto;
    min-height: 0;
  }
  .title,
  .heading {
    margin: 0;
    line-height: 1.2;
    letter-spacing: -0.015em;
    text-wrap: balance;
  }
  .title {
    font-size: var(--text-title);
  }
  .heading {
    font-size: var(--text-heading);
  }
  .lead {
    margin: 0;
    color: var(--ink-soft);
    font-size: var(--text-lead);
    line-height: 1.45;
    text-wrap: pretty;
  }
  .soft {
    color: var(--ink-soft);
  }
  .small {
    font-size: var(--text-small);
  }
  .mono {
    font-family: var(--mono);
    overflow-wrap: anywhere;
  }
  .number {
    font-variant-numeric: tabular-nums;
  }
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .facts {
    display: grid;
    grid-template-columns: fit-content(45%) 1fr;
    gap: var(--space-2) var(--space-5);
    margin: 0;
  }
  .facts dt {
    color: var(--ink-soft);
  }
  .facts dd {
    margin: 0;
    font-weight: 600;
    overflow-wrap: anywhere;
  }
`;
