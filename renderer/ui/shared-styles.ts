import { css } from 'lit';

/** What every screen has: the bar at the top, buttons, icons, the code. */
export const sharedStyles = css`
  :host {
    display: block;
    height: 100%;
    box-sizing: border-box;
    color: var(--ink);
  }
  * {
    box-sizing: border-box;
  }
  .bar {
    display: flex;
    align-items: center;
    gap: var(--gap);
    padding: 10px clamp(16px, 2.5vw, 40px);
    min-height: 68px;
  }
  .brand {
    display: inline-flex;
    align-items: center;
    gap: 10px;
    color: var(--brand);
  }
  .brand .mark {
    width: 34px;
    height: 34px;
  }
  .brand .name {
    font-size: 1.25rem;
    font-weight: 700;
    letter-spacing: -0.02em;
  }
  .grow {
    flex: 1;
  }
  .icon {
    width: 1em;
    height: 1em;
    flex: none;
  }
  .qr {
    display: block;
    width: 100%;
    height: 100%;
    background: #fff;
    border-radius: var(--radius-small);
  }
  /* Grows with the screen until its characters (at most 0.62 em wide on average) fill the container. */
  .amount {
    font-size: min(var(--amount-size), calc(100cqi / (var(--characters) * 0.62)));
    font-weight: 750;
    letter-spacing: -0.03em;
    font-variant-numeric: tabular-nums;
    line-height: 1;
    white-space: nowrap;
  }
  button,
  a.button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.6em;
    min-height: var(--touch);
    padding: 0.4em 1.3em;
    border: 2px solid var(--line);
    border-radius: var(--radius-small);
    background: var(--card);
    color: var(--ink);
    font: inherit;
    font-weight: 600;
    text-decoration: none;
    cursor: pointer;
    transition:
      background var(--quick),
      border-color var(--quick);
  }
  button:hover:not(:disabled),
  a.button:hover {
    border-color: var(--ink-soft);
  }
  button:disabled {
    opacity: 0.45;
    cursor: default;
  }
  :focus-visible {
    outline: 3px solid var(--busy);
    outline-offset: 3px;
  }
  kbd {
    padding: 2px 8px;
    border: 1px solid currentColor;
    border-radius: 6px;
    font: 600 0.75em var(--mono);
    opacity: 0.8;
  }
`;
