import { render, type TemplateResult, unsafeCSS } from 'lit';
import styles from './print-sheet.css?inline';

/** Prints only the sheet: black on white, as wide as the paper, be it a roll of 80 mm or A4. */
const sheetStyles = unsafeCSS(styles);

let sheet: HTMLElement | null = null;

/** Prints this content and nothing of the screen. It stays in the page until it is printed. */
export function printSheet(content: TemplateResult): void {
  sheet?.remove();
  const { styleSheet } = sheetStyles;
  if (styleSheet !== undefined && !document.adoptedStyleSheets.includes(styleSheet)) document.adoptedStyleSheets.push(styleSheet);
  const made = document.createElement('div');
  made.className = 'print-sheet';
  render(content, made);
  document.body.append(made);
  sheet = made;
  window.addEventListener('afterprint', () => made.remove(), { once: true });
  // Its elements are rendered by the next frame.
  requestAnimationFrame(() => window.print());
}
