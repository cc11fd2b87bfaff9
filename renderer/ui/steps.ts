import { html, nothing, type TemplateResult } from 'lit';
import { icon } from './icons.ts';

export interface StepsOptions<Id extends string> {
  readonly label: string;
  readonly steps: readonly { readonly id: Id; readonly title: string }[];
  readonly current: Id;
  readonly done: ReadonlySet<Id>;
  /** The done steps in which something is still to be checked. */
  readonly toCheck?: ReadonlySet<Id>;
  /** When set, done steps can be clicked. */
  readonly onGo?: (id: Id) => void;
}

/** The numbered steps of a wizard. Done steps have a tick, and steps to check are amber. */
export function steps<Id extends string>({
  label,
  steps: path,
  current,
  done,
  toCheck,
  onGo,
}: StepsOptions<Id>): TemplateResult {
  return html`<ol class="steps" aria-label=${label}>
    ${path.map(({ id, title }, index) => {
      const isDone = done.has(id) && id !== current;
      const isToCheck = isDone && toCheck?.has(id) === true;
      const words = html`<span class="steps-number">${isToCheck ? icon('warning') : isDone ? icon('tick') : index + 1}</span><span>${title}</span>`;
      return html`<li class=${isToCheck ? 'done to-check' : isDone ? 'done' : ''} aria-current=${id === current ? 'step' : nothing}>
        ${isDone && onGo !== undefined ? html`<button class="quiet" data-testid="step-${id}" @click=${() => onGo(id)}>${words}</button>` : html`<span class="steps-name">${words}</span>`}
      </li>`;
    })}
  </ol>`;
}
