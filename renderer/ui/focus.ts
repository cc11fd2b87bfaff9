import { noChange } from 'lit';
import { directive, Directive, type ElementPart } from 'lit/directive.js';

/**
 * Used instead of lit's `ref`, which for two elements of one root calls back at each update, so
 * that the focus would jump between them.
 */
class FocusWhenShown extends Directive {
  #should = false;

  render(_should: boolean): typeof noChange {
    return noChange;
  }

  override update({ element }: ElementPart, [should]: [boolean]): typeof noChange {
    // The element is connected to the page only after this update.
    if (should && !this.#should)
      queueMicrotask(() => element instanceof HTMLElement && element.focus());
    this.#should = should;
    return noChange;
  }
}

/** Focuses the element once when it appears, if `should` is true. */
export const focusWhenShown = directive(FocusWhenShown);

/** The focused element, through all shadow roots. */
export function focused(): Element | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement != null) element = element.shadowRoot.activeElement;
  return element;
}
