import type { LitElement, ReactiveController } from 'lit';

/**
 * Gives the focus back to an element that an update has replaced. While `waits` returns true,
 * somebody is in the middle of something, and the element may also come back with a later update.
 * When the element does not come back, no other element gets the focus.
 */
export class FocusKeeper implements ReactiveController {
  readonly #host: LitElement;
  readonly #waits: () => boolean;
  /** Selector of the element that had the focus; null when none had. */
  #at: string | null = null;

  constructor(host: LitElement, waits: () => boolean) {
    this.#host = host;
    this.#waits = waits;
    host.addController(this);
  }

  hostUpdate(): void {
    const at = this.#root?.activeElement ?? null;
    if (at !== null) this.#at = nameOf(at);
    // The focus was moved on purpose.
    else if (this.#at !== null && this.#found() !== null) this.#at = null;
  }

  hostUpdated(): void {
    if (this.#at === null || this.#root?.activeElement != null) return;
    const again = this.#found();
    if (again !== null) again.focus();
    else if (!this.#waits()) this.#at = null;
  }

  get #root(): ShadowRoot | null {
    return this.#host.shadowRoot;
  }

  #found(): HTMLElement | null {
    return this.#at === null ? null : (this.#root?.querySelector<HTMLElement>(this.#at) ?? null);
  }
}

/** A selector by id or test id; null when the element has neither. */
function nameOf(element: Element): string | null {
  if (element.id !== '') return `#${CSS.escape(element.id)}`;
  const name = element.getAttribute('data-testid');
  if (name !== null) return `[data-testid="${name}"]`;
  return element.localName.includes('-') ? element.localName : null;
}
