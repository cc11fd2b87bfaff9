import { css } from 'lit';

/** A step, and the pages beside the path: what is long scrolls, the way on and back stays in sight. */
export const stepStyles = css`
  /* Names of ports, stores and points of sale are long. */
  :is(#ports, #store, #pos) .choice-cards {
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr));
  }
  :host {
    height: auto;
    min-height: 0;
  }
  p {
    margin: 0;
  }
  section {
    display: grid;
    grid-template-rows: minmax(0, 1fr) auto;
    height: 100%;
  }
  .step-body {
    display: flex;
    flex-direction: column;
    gap: var(--space-5);
    padding: var(--space-5) clamp(16px, 3vw, 48px) var(--space-6);
  }
  .step-body > * {
    width: 100%;
    max-width: 52rem;
    flex: none;
  }
  .step-body > .stack {
    gap: var(--space-2);
  }
  h1:focus-visible {
    outline: 0;
  }
  .step-foot {
    padding: var(--space-3) clamp(16px, 3vw, 48px) var(--space-4);
    border-top: 1px solid var(--line);
    background: var(--ground);
  }
  .step-foot > * {
    flex: none;
  }
  .two {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr));
    gap: var(--space-5);
    align-items: start;
  }
  /* However long their hints are, the fields of a row stand in one line. */
  .two .field {
    display: grid;
    grid-row: span 4;
    grid-template-rows: subgrid;
    row-gap: var(--space-2);
  }
  .two .field-hint {
    grid-row: 2;
  }
  .two .field-box {
    grid-row: 3;
  }
  .two .field-problem {
    grid-row: 4;
  }
  summary {
    display: flex;
    align-items: center;
    gap: var(--space-2);
    width: fit-content;
    min-height: var(--touch-small);
    padding: 0 var(--space-3) 0 0;
    border-radius: var(--radius-small);
    font-weight: 600;
    cursor: pointer;
    list-style: none;
  }
  summary::-webkit-details-marker {
    display: none;
  }
  summary .icon {
    transition: transform var(--quick);
  }
  details[open] > summary .icon {
    transform: rotate(180deg);
  }
  details > .stack,
  details > .two {
    padding-top: var(--space-3);
  }
`;
