import { css } from 'lit';

export const screenStyles = css`
  .frame {
    display: grid;
    grid-template-rows: auto minmax(0, 1fr);
    height: 100%;
  }
  .bar {
    flex-wrap: wrap;
  }
  .bar > .where {
    font-size: var(--text-lead);
    font-weight: 600;
    color: var(--ink-soft);
  }
  main {
    display: flex;
    flex-direction: column;
    min-height: 0;
  }
  main > * {
    flex: 1;
    min-height: 0;
  }
  .cover {
    overflow-y: auto;
  }
  .manager-step {
    display: grid;
    grid-template-rows: minmax(0, 1fr) auto;
  }
  /* On a counter's screen the keys are in sight down to the one that goes on. */
  .manager-step tb-sign-in {
    padding-block: var(--space-1);
  }
  .manager-step footer {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: var(--space-3);
    padding: var(--space-3) clamp(16px, 3vw, 48px) var(--space-4);
    border-top: 1px solid var(--line);
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
  .path {
    display: grid;
    grid-template-columns: minmax(13rem, 17rem) minmax(0, 1fr);
  }
  aside {
    padding: var(--space-5) var(--space-3);
    border-inline-end: 1px solid var(--line);
    overflow-y: auto;
  }
  .page-column {
    display: flex;
    flex-direction: column;
    min-width: 0;
    min-height: 0;
  }
  .path > .page-column,
  .page-column.narrow {
    width: 100%;
    max-width: 62rem;
    margin: 0 auto;
  }
  .page-column > * {
    flex: none;
  }
  .page-column > :last-child {
    flex: 1;
    min-height: 0;
  }
  .told {
    max-height: 40vh;
    padding: var(--space-4) clamp(16px, 3vw, 48px) 0;
    overflow-y: auto;
  }
  .told ul {
    margin: var(--space-2) 0;
    padding-inline-start: 1.2em;
  }
  .where-short {
    display: none;
    margin: 0;
    padding: var(--space-3) clamp(16px, 3vw, 48px) 0;
  }
  /* No room beside the step, also with large text: where one is in one line. */
  @media (max-width: 50rem) {
    .path {
      grid-template-columns: minmax(0, 1fr);
    }
    aside {
      display: none;
    }
    .where-short {
      display: block;
    }
  }
`;
