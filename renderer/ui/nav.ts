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

/**
 * The sections of a screen at its side, or behind a button at the top of a narrow screen. Place it
 * in `.app`, before the section.
 */
export function sideNav<Id extends string>({
  label,
  items,
  current,
  onSelect,
  foot,
}: SideNavOptions<Id>): TemplateResult {
  const title = items.find(({ id }) => id === current)?.title ?? label;
  return html`<nav class="side-nav" aria-label=${label}>
    <button class="nav-toggle" data-testid="nav-toggle" aria-expanded="false" aria-label="${label}: ${title}" @click=${onToggle}>
      <span>${title}</span> ${icon('down')}
    </button>
    <ul>
      ${items.map(
        ({ id, title: name, icon: picture }) =>
          html`<li>
            <button
              class="quiet"
              data-testid="nav-${id}"
              aria-current=${id === current ? 'page' : nothing}
              @click=${(event: Event) => {
                setOpen(event, false);
                onSelect(id);
              }}
            >
              ${icon(picture)}<span>${name}</span>
            </button>
          </li>`,
      )}
    </ul>
    ${foot === undefined ? nothing : html`<div class="side-nav-foot">${foot}</div>`}
  </nav>`;
}

/** Only the style of a narrow screen looks at it. */
function setOpen({ currentTarget }: Event, isOpen: boolean): void {
  const toggle = (currentTarget as HTMLElement).closest('nav')?.querySelector('.nav-toggle');
  toggle?.setAttribute('aria-expanded', String(isOpen));
}

const onToggle = (event: Event): void =>
  setOpen(event, (event.currentTarget as HTMLElement).getAttribute('aria-expanded') !== 'true');
