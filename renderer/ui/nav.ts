import { html, nothing, type TemplateResult } from 'lit';
import { icon, type IconName } from './icons.ts';

export interface SideNavOptions<Id extends string> {
  readonly label: string;
  readonly items: readonly { readonly id: Id; readonly title: string; readonly icon: IconName }[];
  readonly current: Id;
  readonly onSelect: (id: Id) => void;
  /** Shown below the items, e.g. the name of who is signed in. */
  readonly foot?: unknown;
}

/** The sections of a screen at its side, or along the top of a narrow screen. Place it in `.app`, before the section. */
export function sideNav<Id extends string>({ label, items, current, onSelect, foot }: SideNavOptions<Id>): TemplateResult {
  return html`<nav class="side-nav" aria-label=${label}>
    <ul>
      ${items.map(
        ({ id, title, icon: name }) =>
          html`<li>
            <button class="quiet" data-testid="nav-${id}" aria-current=${id === current ? 'page' : nothing} @click=${() => onSelect(id)}>
              ${icon(name)}<span>${title}</span>
            </button>
          </li>`,
      )}
    </ul>
    ${foot === undefined ? nothing : html`<div class="side-nav-foot">${foot}</div>`}
  </nav>`;
}
