import { html, nothing, type TemplateResult } from 'lit';
import type { LaneStateKind } from '../../preload/contract.ts';
import { icon } from '../ui/icons.ts';

const order = ['scan', 'approve', 'paid'] as const;
export type Step = (typeof order)[number];

/** How many steps are done in each state. A payment that failed has no steps. */
const done: Readonly<Partial<Record<LaneStateKind, number>>> = {
  contactingService: 0,
  waitingForCustomer: 0,
  customerFound: 1,
  approveInApp: 1,
  confirming: 2,
  paid: 3,
};

export const approving = (kind: LaneStateKind): boolean => kind in done;

/** The steps of a payment: done, current, to come. */
export function steps(
  label: string,
  titles: Readonly<Record<Step, string>>,
  kind: LaneStateKind,
): TemplateResult {
  const behind = done[kind] ?? 0;
  return html`<ol class="path" aria-label=${label}>
    ${order.map(
      (step, index) =>
        html`<li class=${index < behind ? 'done' : ''} aria-current=${index === behind ? 'step' : nothing}>
          <span class="number">${index < behind ? icon('tick') : index + 1}</span><span>${titles[step]}</span>
        </li>`,
    )}
  </ol>`;
}
