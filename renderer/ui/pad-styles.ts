import { css } from 'lit';

/** What both number pads look like: the display over three columns of keys. */
export const padStyles = css`
  :host {
    display: block;
    height: auto;
    width: 100%;
    max-width: 24rem;
  }
  .pad {
    display: grid;
    gap: var(--space-3);
  }
  label {
    font-weight: 600;
  }
  .display {
    width: 100%;
    min-height: 4.5rem;
    padding: 0 var(--space-4);
    border: 2px solid var(--field-line);
    border-radius: var(--radius-small);
    background: var(--card);
    color: var(--ink);
    font: inherit;
    font-weight: 700;
    font-variant-numeric: tabular-nums;
  }
  .display:focus {
    border-color: var(--busy);
    outline: 3px solid var(--busy);
    outline-offset: 1px;
  }
  [aria-invalid='true'] {
    border-color: var(--bad);
  }
  .keys {
    display: grid;
    grid-template-columns: repeat(3, 1fr);
    gap: var(--space-2);
  }
  .keys button {
    min-height: 4rem;
    padding: 0;
    font-size: 1.6rem;
    font-variant-numeric: tabular-nums;
    touch-action: manipulation;
  }
  .keys button:active:not(:disabled) {
    background: var(--neutral-soft);
  }
  .enter {
    width: 100%;
    min-height: 4rem;
    font-size: var(--text-lead);
  }
  .display:disabled {
    opacity: 0.6;
  }
`;
