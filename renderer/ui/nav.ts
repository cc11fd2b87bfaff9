import { html, nothing, type TemplateResult } from 'lit';
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
