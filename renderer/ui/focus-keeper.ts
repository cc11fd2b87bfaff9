import type { LitElement, ReactiveController } from 'lit';

/**
 * Keeps the focus on an element that an update renders anew; also when it comes back only later, while `waits` says that somebody is in the
 * middle of something. An element that is gone for good passes its focus on to no other.
 */
export class FocusKeeper implements ReactiveController {
  readonly #host: LitElement;
  readonly #waits: () => boolean;
  /** A selector of the focused element. */
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
