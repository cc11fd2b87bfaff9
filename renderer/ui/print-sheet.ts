import { render, type TemplateResult, unsafeCSS } from 'lit';
import styles from './print-sheet.css?inline';

/**
 * Hides everything but the sheet on paper, and fits it to the paper's width, whether a roll of 80
 * mm or A4.
 */
const sheetStyles = unsafeCSS(styles);

let sheet: HTMLElement | null = null;

/** Prints this content alone. It stays in the page until it is printed. */
export function printSheet(content: TemplateResult): void {
  sheet?.remove();
  const { styleSheet } = sheetStyles;
  if (styleSheet !== undefined && !document.adoptedStyleSheets.includes(styleSheet))
    document.adoptedStyleSheets.push(styleSheet);
  const element = document.createElement('div');
  element.className = 'print-sheet';
  render(content, element);
  document.body.append(element);
  sheet = element;
  window.addEventListener('afterprint', () => element.remove(), { once: true });
  // By the next frame, the elements in the sheet have rendered themselves.
  requestAnimationFrame(() => window.print());
}
