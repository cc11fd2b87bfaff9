import { html, nothing, type TemplateResult } from 'lit';
import type { LaneView } from '../../preload/contract.ts';
import { icon } from '../ui/icons.ts';
import { currentStep, type PaymentStep, paymentSteps } from '../ui/payment-steps.ts';

/**
 * The steps of a payment that its customer takes: done, current, to come. A payment that failed has
 * none.
 */
export function steps(
  label: string,
  titles: Readonly<Record<PaymentStep, string>>,
  lane: LaneView,
): TemplateResult | typeof nothing {
  const customerSteps = paymentSteps(lane).filter((step) => step !== 'found');
  const current = currentStep(customerSteps, lane.state.kind);
  if (current === null) return nothing;
  return html`<ol class="path" aria-label=${label}>
    ${customerSteps.map(
      (step, index) =>
        html`<li class=${index < current ? 'done' : ''} aria-current=${index === current ? 'step' : nothing}>
          <span class="number">${index < current ? icon('tick') : index + 1}</span><span>${titles[step]}</span>
        </li>`,
    )}
  </ol>`;
}
