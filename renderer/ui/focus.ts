import { noChange } from 'lit';
import { directive, Directive, type ElementPart } from 'lit/directive.js';

/** Not `ref`: for two elements of one root, it calls back at each update, and the focus would jump between them. */
class FocusWhenShown extends Directive {
  #should = false;

  render(_should: boolean): typeof noChange {
    return noChange;
  }

  override update({ element }: ElementPart, [should]: [boolean]): typeof noChange {
    // Not connected yet.
    if (should && !this.#should) queueMicrotask(() => element instanceof HTMLElement && element.focus());
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
