import { css, html, nothing, type TemplateResult } from 'lit';
import { icon } from './icons.ts';

export interface StepsOptions<Id extends string> {
  readonly label: string;
  readonly steps: readonly { readonly id: Id; readonly title: string }[];
  readonly current: Id;
  readonly done: ReadonlySet<Id>;
  /** With it, what is done can be gone back to. */
  readonly onGo?: (id: Id) => void;
}

/** Where one is on a guided path: numbered, with a tick on what is done. */
export function steps<Id extends string>({ label, steps: path, current, done, onGo }: StepsOptions<Id>): TemplateResult {
  return html`<ol class="steps" aria-label=${label}>
    ${path.map(({ id, title }, index) => {
      const isDone = done.has(id) && id !== current;
      const words = html`<span class="steps-number">${isDone ? icon('tick') : index + 1}</span><span>${title}</span>`;
      return html`<li class=${isDone ? 'done' : ''} aria-current=${id === current ? 'step' : nothing}>
        ${isDone && onGo !== undefined ? html`<button class="quiet" data-testid="step-${id}" @click=${() => onGo(id)}>${words}</button>` : html`<span class="steps-name">${words}</span>`}
      </li>`;
    })}
  </ol>`;
}

export const stepsStyles = css`
  .steps {
    display: grid;
    gap: var(--space-1);
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .steps :is(.steps-name, button) {
    display: flex;
    align-items: center;
    justify-content: flex-start;
    gap: var(--space-3);
    width: 100%;
    min-height: var(--touch-small);
    padding: var(--space-1) var(--space-3);
    color: var(--ink-soft);
    font-weight: 600;
    text-align: start;
  }
  .steps-number {
    flex: none;
    display: grid;
    place-items: center;
    width: 2rem;
    height: 2rem;
    border: 2px solid var(--field-line);
    border-radius: 50%;
    font-variant-numeric: tabular-nums;
  }
  .steps .done .steps-number {
    border-color: var(--good);
    color: var(--good);
  }
  .steps .done .icon {
    font-size: 1.2rem;
  }
  .steps [aria-current] .steps-name {
    color: var(--ink);
  }
  .steps [aria-current] .steps-number {
    border-color: var(--busy);
    background: var(--busy);
    color: var(--on-strong);
  }
`;
