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
 * Up to this width the sections are behind a button. In rem: large text takes the room as well. The
 * style sheet has the same one.
 */
export const narrowScreen = '(max-width: 56rem)';

/**
 * The sections of a screen at its side: place it in `.app`, before the section. On a narrow screen
 * they are a menu behind a button, which can also stand in the `.bar`. Escape closes it, and so
 * does whatever takes the focus elsewhere.
 */
export function sideNav<Id extends string>({
  label,
  items,
  current,
  onSelect,
  foot,
}: SideNavOptions<Id>): TemplateResult {
  const title = items.find(({ id }) => id === current)?.title ?? label;
  return html`<nav class="side-nav" aria-label=${label} @keydown=${onKey} @focusout=${onFocusOut}>
    <button class="nav-toggle" data-testid="nav-toggle" aria-expanded="false" aria-controls="side-nav-menu" aria-label="${label}: ${title}" @click=${onToggle}>
      <span>${title}</span> ${icon('down')}
    </button>
    <div class="side-nav-menu" id="side-nav-menu" tabindex="-1">
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
    </div>
  </nav>`;
}

const toggleOf = ({ currentTarget }: Event): HTMLElement | null =>
  (currentTarget as HTMLElement).closest('nav')?.querySelector<HTMLElement>('.nav-toggle') ?? null;

/** Only the style of a narrow screen looks at it. */
const isOpen = (event: Event): boolean => toggleOf(event)?.getAttribute('aria-expanded') === 'true';
const setOpen = (event: Event, opens: boolean): void =>
  toggleOf(event)?.setAttribute('aria-expanded', String(opens));

const onToggle = (event: Event): void => setOpen(event, !isOpen(event));

function onKey(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || !isOpen(event)) return;
  // It is not meant for the page as well.
  event.preventDefault();
  setOpen(event, false);
  toggleOf(event)?.focus();
}

function onFocusOut(event: FocusEvent): void {
  if (!(event.currentTarget as HTMLElement).contains(event.relatedTarget as Node | null))
    setOpen(event, false);
}
