import { ref } from 'lit/directives/ref.js';
import type { DirectiveResult } from 'lit/directive.js';

// Not connected yet when lit hands it over.
const focus = (element: Element | undefined): void => queueMicrotask(() => (element as HTMLElement | undefined)?.focus());
const leave = (): void => {};

/** Takes the focus when it appears, if it should; once. */
export function focusWhenShown(should: boolean): DirectiveResult {
  return ref(should ? focus : leave);
}

/** What has the focus, through all shadows. */
export function focused(): Element | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement != null) element = element.shadowRoot.activeElement;
  return element;
}
