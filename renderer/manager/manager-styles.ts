import { css } from 'lit';

export const managerStyles = css`
  .frame {
    display: grid;
    grid-template-rows: auto minmax(0, 1fr) auto;
    height: 100%;
  }
  .where {
    font-size: var(--text-lead);
    font-weight: 600;
    color: var(--ink-soft);
  }
  .service-note {
    display: block;
    padding: var(--space-2);
    background: var(--warn-soft);
    color: var(--warn);
    text-align: center;
  }
  main {
    display: flex;
    flex-direction: column;
    min-height: 0;
    /* What is fixed in it, as toasts are, keeps to it: the banners below are never covered. */
    contain: layout;
  }
  /* The pages fill it; what is longer scrolls within. */
  .pages {
    display: flex;
    flex-direction: column;
    min-width: 0;
  }
  .pages > * {
    flex: 1;
    min-height: 0;
  }
  .pages > [hidden],
  .app[hidden] {
    display: none;
  }
  .cover {
    flex: 1;
    min-height: 0;
    overflow-y: auto;
  }
  .lost {
    display: grid;
    place-content: center;
    justify-items: center;
    gap: var(--space-4);
    padding: var(--gap);
    text-align: center;
  }
  .lost > .icon {
    font-size: 5rem;
    color: var(--warn);
  }
  .foot {
    display: grid;
    gap: var(--space-2);
    padding: var(--space-3);
  }
  .foot .who {
    display: flex;
    align-items: center;
    gap: var(--space-2);
    padding: 0 var(--space-3);
    color: var(--ink-soft);
    overflow-wrap: anywhere;
  }
  .foot .who .icon,
  .foot :is(button, a) .icon {
    font-size: 1.5rem;
  }
  .foot :is(button, a) {
    justify-content: flex-start;
    padding: 0 var(--space-3);
  }
  .bar {
    flex-wrap: wrap;
  }
  .bar a {
    min-height: var(--touch-small);
    padding: 0 14px;
  }
  @media (max-width: 56rem) {
    .foot {
      display: flex;
      flex-wrap: wrap;
    }
  }
`;
