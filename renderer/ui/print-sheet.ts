import { css, render, type TemplateResult } from 'lit';

/** On paper nothing but the sheet: black on white, as wide as the paper, be it a roll of 80 mm or A4. */
const sheetStyles = css`
  .print-sheet {
    display: none;
  }
  @media print {
    @page {
      margin: 6mm 4mm;
    }
    html,
    body {
      height: auto;
      background: #fff;
    }
    body > :not(.print-sheet) {
      display: none !important;
    }
    .print-sheet {
      display: block;
      color-scheme: light;
      --ink: #000;
      --ink-soft: #333;
      --card: #fff;
      --line: #999;
      --text-small: 8.5pt;
      --text-body: 10pt;
      --text-lead: 12pt;
      --text-heading: 12pt;
      --text-title: 15pt;
      color: #000;
      font-size: 10pt;
    }
  }
`;

let sheet: HTMLElement | null = null;

/** Prints this and nothing of the screen. It is in the page until it is printed. */
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
  // What is on it has drawn itself by the next frame.
  requestAnimationFrame(() => window.print());
}
