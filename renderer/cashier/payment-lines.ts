import { html, nothing, type TemplateResult } from 'lit';
import type { LaneView } from '../../preload/contract.ts';
import { icon, type IconName } from '../ui/icons.ts';
import type { Language } from '../locales/i18n.ts';
import { type ScreenTexts, screenTexts } from '../locales/screens.ts';
import { isReservation } from './state-styles.ts';

interface PaymentLine {
  /** The line's test id, and a class of the line in the style sheet. */
  readonly name: string;
  readonly icon: IconName;
  /** Characters that always fit; more scroll, also by the keyboard. */
  readonly maxFitting?: number;
  /** null when the line is not shown. */
  readonly text: (texts: ScreenTexts['cashier'], lane: LaneView) => string | null;
}

/** Above the hint what to do, and in the form of the amount too. A new line is a row here. */
const aboutPayment: readonly PaymentLine[] = [
  {
    name: 'reservation',
    icon: 'calendar',
    text: ({ reservation }, { state }) => (isReservation(state) ? reservation.note : null),
  },
];

/** Below the hint what to do. */
const aboutCustomer: readonly PaymentLine[] = [
  {
    name: 'loyalty',
    icon: 'person',
    maxFitting: 60,
    text: ({ loyalty }, { loyaltyIds }) =>
      loyaltyIds == null || loyaltyIds.length === 0
        ? null
        : loyalty({ ids: loyaltyIds.join(', ') }),
  },
];

const drawn = (
  lines: readonly PaymentLine[],
  language: Language,
  lane: LaneView,
  style: 'hint' | 'lead',
): (TemplateResult | typeof nothing)[] =>
  lines.map(({ name, icon: sign, maxFitting = Infinity, text }) => {
    const says = text(screenTexts[language].cashier, lane);
    return says === null
      ? nothing
      : html`<p
          class="${style} ${name}"
          data-testid=${name}
          tabindex=${says.length > maxFitting ? 0 : nothing}
        >${icon(sign)} ${says}</p>`;
  });

/** @param style the class of texts in the place where the lines stand */
export const paymentLines = (
  language: Language,
  lane: LaneView,
  style: 'hint' | 'lead' = 'hint',
): (TemplateResult | typeof nothing)[] => drawn(aboutPayment, language, lane, style);

export const customerLines = (
  language: Language,
  lane: LaneView,
): (TemplateResult | typeof nothing)[] => drawn(aboutCustomer, language, lane, 'hint');
