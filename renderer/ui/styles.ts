import { type CSSResultGroup, unsafeCSS } from 'lit';
import barChart from './bar-chart.css?inline';
import button from './button.css?inline';
import checkbox from './checkbox.css?inline';
import choice from './choice.css?inline';
import empty from './empty.css?inline';
import field from './field.css?inline';
import holdPhone from './hold-phone.css?inline';
import layout from './layout.css?inline';
import nav from './nav.css?inline';
import notice from './notice.css?inline';
import pad from './pad.css?inline';
import progress from './progress.css?inline';
import shared from './shared.css?inline';
import steps from './steps.css?inline';
import toast from './toast.css?inline';

export const sharedStyles = unsafeCSS(shared);
export const buttonStyles = unsafeCSS(button);
export const layoutStyles = unsafeCSS(layout);
export const fieldStyles = unsafeCSS(field);
export const noticeStyles = unsafeCSS(notice);
export const holdPhoneStyles = unsafeCSS(holdPhone);
export const padStyles = unsafeCSS(pad);

/** The parts of the design system that are rendered into a screen's own shadow root. */
export const designStyles: CSSResultGroup = [
  sharedStyles,
  buttonStyles,
  layoutStyles,
  fieldStyles,
  unsafeCSS(checkbox),
  unsafeCSS(choice),
  unsafeCSS(nav),
  unsafeCSS(progress),
  noticeStyles,
  holdPhoneStyles,
  unsafeCSS(steps),
  unsafeCSS(empty),
  unsafeCSS(toast),
  unsafeCSS(barChart),
];
