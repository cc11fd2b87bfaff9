import { css } from 'lit';

/** What a button may be: plain (no class), primary, danger, quiet, icon-only; `aria-busy` while what it started goes on. */
export const buttonStyles = css`
  .primary {
    border-color: var(--busy);
    background: var(--busy);
    color: var(--on-strong);
  }
  button.primary:hover:not(:disabled),
  a.primary:hover {
    border-color: var(--ink);
  }
  .danger {
    border-color: var(--bad);
    background: var(--bad);
    color: var(--on-strong);
  }
  button.danger:hover:not(:disabled) {
    border-color: var(--ink);
  }
  .quiet {
    border-color: transparent;
    background: transparent;
  }
  .icon-only {
    min-width: var(--touch-small);
    min-height: var(--touch-small);
    padding: 0;
    border-color: transparent;
    background: transparent;
    font-size: 1.3rem;
  }
  button > .icon,
  a.button > .icon {
    font-size: 1.3em;
  }
  button[aria-busy='true'] {
    pointer-events: none;
  }
  button[aria-busy='true']::before {
    content: '';
    width: 1.1em;
    height: 1.1em;
    border: 3px solid currentColor;
    border-right-color: transparent;
    border-radius: 50%;
    animation: turn var(--turn);
  }
  button[aria-busy='true'] > .icon {
    display: none;
  }
  @keyframes turn {
    to {
      transform: rotate(1turn);
    }
  }
`;
