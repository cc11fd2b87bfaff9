import { css, html, nothing, type TemplateResult } from 'lit';
import { icon, type IconName } from './icons.ts';

export interface SideNavOptions<Id extends string> {
  readonly label: string;
  readonly items: readonly { readonly id: Id; readonly title: string; readonly icon: IconName /** E.g. how many wait. */; readonly badge?: string | null }[];
  readonly current: Id;
  readonly onSelect: (id: Id) => void;
  /** Below, e.g. who is signed in. */
  readonly foot?: unknown;
}

/** The sections of a screen at its side; along its top where there is no room. Stands in `.app` before the section. */
export function sideNav<Id extends string>({ label, items, current, onSelect, foot }: SideNavOptions<Id>): TemplateResult {
  return html`<nav class="side-nav" aria-label=${label}>
    <ul>
      ${items.map(
        ({ id, title, icon: name, badge }) =>
          html`<li>
            <button class="quiet" data-testid="nav-${id}" aria-current=${id === current ? 'page' : nothing} @click=${() => onSelect(id)}>
              ${icon(name)}<span>${title}</span>${badge == null ? nothing : html`<span class="side-nav-badge">${badge}</span>`}
            </button>
          </li>`,
      )}
    </ul>
    ${foot === undefined ? nothing : html`<div class="side-nav-foot">${foot}</div>`}
  </nav>`;
}

export interface TabsOptions<Id extends string> {
  readonly id: string;
  readonly label: string;
  readonly items: readonly { readonly id: Id; readonly title: string }[];
  readonly current: Id;
  readonly onSelect: (id: Id) => void;
  readonly panel: unknown;
}

/** Parts of one section. Arrows, Home and End move between them, and show at once. */
export function tabs<Id extends string>({ id, label, items, current, onSelect, panel }: TabsOptions<Id>): TemplateResult {
  const at = items.findIndex((item) => item.id === current);
  const onKey = (event: KeyboardEvent): void => {
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: items.length - 1 }[event.key];
    const item = next === undefined ? undefined : items.at(next % items.length);
    if (item === undefined) return;
    event.preventDefault();
    onSelect(item.id);
    (event.currentTarget as HTMLElement).querySelector<HTMLElement>(`#${id}-${item.id}`)?.focus();
  };
  return html`<div class="tabs" role="tablist" aria-label=${label} @keydown=${onKey}>
      ${items.map(
        (item) =>
          html`<button
            role="tab"
            class="quiet"
            id="${id}-${item.id}"
            data-testid="${id}-${item.id}"
            tabindex=${item.id === current ? 0 : -1}
            aria-selected=${item.id === current}
            aria-controls="${id}-panel"
            @click=${() => onSelect(item.id)}
          >
            ${item.title}
          </button>`,
      )}
    </div>
    <div class="tab-panel" role="tabpanel" id="${id}-panel" tabindex="-1" aria-labelledby="${id}-${current}">${panel}</div>`;
}

export const navStyles = css`
  .app {
    flex: 1;
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    min-height: 0;
  }
  .app > :last-child {
    min-height: 0;
    overflow-y: auto;
  }
  .side-nav {
    display: flex;
    flex-direction: column;
    justify-content: space-between;
    gap: var(--space-4);
    width: 15rem;
    padding: var(--space-3);
    overflow-y: auto;
  }
  .side-nav ul {
    display: grid;
    gap: var(--space-1);
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .side-nav li button {
    justify-content: flex-start;
    width: 100%;
    padding: 0.4em 0.9em;
    color: var(--ink-soft);
    text-align: start;
  }
  .side-nav button > .icon {
    font-size: 1.5rem;
  }
  .side-nav li button[aria-current] {
    border-color: var(--line);
    background: var(--card);
    color: var(--ink);
    box-shadow: inset 4px 0 0 var(--busy);
  }
  .side-nav-badge {
    margin-left: auto;
    padding: 0.1em 0.6em;
    border-radius: 1em;
    background: var(--warn-soft);
    color: var(--warn);
    font-size: var(--text-small);
  }
  .tabs {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-1);
    border-bottom: 2px solid var(--line);
  }
  .tabs button {
    margin-bottom: -2px;
    border-radius: var(--radius-small) var(--radius-small) 0 0;
    color: var(--ink-soft);
  }
  .tabs button[aria-selected='true'] {
    color: var(--ink);
    box-shadow: inset 0 -4px 0 var(--busy);
  }
  .tab-panel {
    min-width: 0;
    outline: 0;
  }
  /* In rem: large text takes the room as well. */
  @media (max-width: 56rem) {
    .app {
      grid-template: auto minmax(0, 1fr) / minmax(0, 1fr);
    }
    .side-nav {
      flex-flow: row wrap;
      width: auto;
    }
    .side-nav ul {
      display: flex;
      flex-wrap: wrap;
    }
  }
`;
