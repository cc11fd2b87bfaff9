import { css } from 'lit';

/** The last payments, a payment by hand, and the question whether to leave. */
export const panelStyles = css`
  .recent {
    flex: 1 1 0;
    display: flex;
    flex-direction: column;
    min-height: 0;
    border-radius: var(--radius);
    background: var(--card);
    box-shadow: var(--shadow);
    overflow: hidden;
  }
  .recent h2 {
    display: flex;
    align-items: center;
    gap: 0.5em;
    margin: 0;
    padding: 14px 20px 10px;
    font-size: 1.1rem;
  }
  .recent .none {
    margin: 0;
    padding: 4px 20px 20px;
    color: var(--ink-soft);
  }
  .payments {
    flex: 1;
    min-height: 0;
    margin: 0;
    padding: 0 0 8px;
    font-size: clamp(1rem, 1.75vmin, 1.3rem);
    list-style: none;
    overflow-y: auto;
  }
  .payments:focus-visible {
    outline-offset: -3px;
  }
  .payments li {
    display: grid;
    grid-template-columns: 1.3em minmax(0, 1fr) auto;
    gap: 0 10px;
    padding: 5px 20px 6px;
    border-top: 1px solid var(--line);
    line-height: 1.3;
  }
  .payments .icon {
    font-size: 1.3em;
    color: var(--strong);
  }
  .payments .money {
    font-weight: 700;
    font-variant-numeric: tabular-nums;
  }
  .payments .at,
  .payments .ended {
    color: var(--ink-soft);
    font-size: 0.9em;
    font-variant-numeric: tabular-nums;
  }
  .payments .ended {
    grid-column: 2 / -1;
  }
  .payments strong {
    color: var(--strong);
    font-weight: 600;
  }
  .list,
  .open-by-hand {
    flex: none;
    padding-inline: 0.8em;
    font-size: clamp(1.05rem, 2vmin, 1.4rem);
  }
  .open-by-hand {
    min-height: 84px;
    font-size: clamp(1.15rem, 2.4vmin, 1.6rem);
  }

  .by-hand {
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(0, 24rem);
    align-content: center;
    align-items: center;
    gap: clamp(20px, 4vmin, 64px);
    padding: clamp(16px, 3vmin, 48px);
    border-radius: var(--radius);
    background: var(--card);
    box-shadow: var(--shadow);
    min-height: 0;
    overflow-y: auto;
  }
  .by-hand h1 {
    display: flex;
    align-items: center;
    gap: 0.4em;
    color: var(--ink);
    font-size: clamp(1.5rem, 3.6vmin, 2.4rem);
  }
  .by-hand .take {
    flex: 1 1 14rem;
    min-height: 84px;
    font-size: clamp(1.2rem, 2.8vmin, 1.8rem);
    font-variant-numeric: tabular-nums;
  }
  .by-hand .back {
    min-height: 84px;
  }

  .primary kbd {
    opacity: 1;
  }
  .leave h1 {
    display: flex;
    align-items: center;
    gap: 0.4em;
    font-size: clamp(1.8rem, 4.6vmin, 3.4rem);
  }
  .leave .hint + .hint {
    margin-top: 0.7em;
  }
  .leave .row button {
    min-height: 84px;
    font-size: clamp(1.2rem, 2.8vmin, 1.8rem);
  }
  @media (max-width: 81em) {
    /* Beside the pad there is room for the form or for the list. */
    main:has(.by-hand) {
      grid-template-columns: minmax(0, 1fr);
    }
    main:has(.by-hand) aside {
      display: none;
    }
  }
  @media (max-width: 47.5em) {
    .by-hand {
      grid-template-columns: minmax(0, 1fr);
    }
    .recent {
      flex: none;
    }
    .payments {
      overflow: visible;
    }
  }
`;
