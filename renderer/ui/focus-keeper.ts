import type { LitElement, ReactiveController } from 'lit';

/**
 * What has the focus, and is drawn anew by an update, has it afterwards; and so has what comes again later, while `waits` says that somebody is in the
 * middle of something. What is gone for good passes the focus on to nobody.
 */
export class FocusKeeper implements ReactiveController {
  readonly #host: LitElement;
  readonly #waits: () => boolean;
  /** Where it was, as a selector. */
  #at: string | null = null;

  constructor(host: LitElement, waits: () => boolean) {
    this.#host = host;
    this.#waits = waits;
    host.addController(this);
  }

  hostUpdate(): void {
    const at = this.#root?.activeElement ?? null;
    if (at !== null) this.#at = nameOf(at);
    // Somebody has left it.
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

/** Of an element that a test or a label can find, too; null: it has no name. */
function nameOf(element: Element): string | null {
  if (element.id !== '') return `#${CSS.escape(element.id)}`;
  const name = element.getAttribute('data-testid');
  if (name !== null) return `[data-testid="${name}"]`;
  return element.localName.includes('-') ? element.localName : null;
}
