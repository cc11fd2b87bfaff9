import type { CSSResultGroup } from 'lit';
import { barChartStyles } from './bar-chart.ts';
import { buttonStyles } from './button-styles.ts';
import { checkboxStyles } from './checkbox.ts';
import { choiceStyles } from './choice.ts';
import { emptyStyles } from './empty.ts';
import { fieldStyles } from './field.ts';
import { layoutStyles } from './layout-styles.ts';
import { navStyles } from './nav.ts';
import { noticeStyles } from './notice.ts';
import { progressStyles } from './progress.ts';
import { sharedStyles } from './shared-styles.ts';
import { stepsStyles } from './steps.ts';
import { toastStyles } from './toast.ts';

/** All of the design system that draws into a screen's own root. */
export const designStyles: CSSResultGroup = [
  sharedStyles,
  buttonStyles,
  layoutStyles,
  fieldStyles,
  checkboxStyles,
  choiceStyles,
  navStyles,
  progressStyles,
  noticeStyles,
  stepsStyles,
  emptyStyles,
  toastStyles,
  barChartStyles,
];
