import { noChange } from 'lit';
import { directive, Directive, type ElementPart } from 'lit/directive.js';

/** `ref` would do for one element of a root: of two it calls back at each update, and the focus would jump between them. */
class FocusWhenShown extends Directive {
  #should = false;

  render(_should: boolean): typeof noChange {
    return noChange;
  }

  override update({ element }: ElementPart, [should]: [boolean]): typeof noChange {
    // Not connected yet.
    if (should && !this.#should) queueMicrotask(() => (element as HTMLElement).focus());
    this.#should = should;
    return noChange;
  }
}

/** Takes the focus when it appears, if it should; once. */
export const focusWhenShown = directive(FocusWhenShown);

/** What has the focus, through all shadows. */
export function focused(): Element | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement != null) element = element.shadowRoot.activeElement;
  return element;
}
