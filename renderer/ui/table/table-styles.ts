import { css } from 'lit';

export const tableStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    height: 100%;
    min-height: 12rem;
    border: 2px solid var(--line);
    border-radius: var(--radius-small);
    background: var(--card);
    overflow: hidden;
  }
  .grid {
    flex: 1;
    min-height: 0;
    outline: 0;
    overflow: auto;
    overflow-anchor: none;
  }
  /* With large letters wider than the screen: then all of it is scrolled to the side. */
  .sheet {
    width: min-content;
    min-width: 100%;
  }
  /* Empty: what stands instead of rows has the room. */
  .grid[aria-rowcount='1'] {
    flex: none;
  }
  .grid[aria-rowcount='1'] .rows {
    display: none;
  }
  ::slotted(*) {
    flex: 1;
  }
  .grid:focus-visible {
    outline: 3px solid var(--busy);
    outline-offset: -3px;
  }
  .head {
    position: sticky;
    z-index: 1;
    top: 0;
    border-bottom: 2px solid var(--line);
    background: var(--neutral-soft);
    font-weight: 600;
  }
  .rows {
    position: relative;
    overflow: hidden;
  }
  .row {
    display: grid;
    grid-template-columns: var(--columns);
    gap: 0 var(--space-4);
    align-items: center;
    height: 3rem;
    padding: 0 var(--space-4);
    border-bottom: 1px solid var(--line);
  }
  .rows .row {
    position: absolute;
    inset: 0 0 auto;
    contain: strict;
    cursor: default;
  }
  .rows .row:hover {
    background: var(--ground);
  }
  .rows .row[aria-selected='true'] {
    background: var(--busy-soft);
    box-shadow: inset 5px 0 0 var(--busy);
  }
  .grid:focus-visible .row.active {
    outline: 3px solid var(--busy);
    outline-offset: -4px;
  }
  .cell {
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    font-variant-numeric: tabular-nums;
  }
  .end {
    text-align: end;
  }
  .pending {
    height: 0.7em;
    border-radius: 1em;
    background: var(--neutral-soft);
  }
  .sort {
    min-height: 3rem;
    padding: 0;
    border: 0;
    background: none;
    gap: 0.3em;
    max-width: 100%;
  }
  .sort .icon {
    font-size: 1em;
    opacity: 0;
  }
  [aria-sort] .sort .icon {
    opacity: 1;
  }
  .failed {
    position: sticky;
    inset: auto auto 0 0;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--space-4);
    padding: var(--space-3) var(--space-4);
    background: var(--bad-soft);
    color: var(--bad);
    font-weight: 600;
  }
`;
