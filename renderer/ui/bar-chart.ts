import { css, html, nothing, svg, type TemplateResult } from 'lit';
import type { Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';

export interface BarChartOptions {
  readonly language: Language;
  /** What it shows; its caption. */
  readonly label: string;
  readonly bars: readonly {
    /** Below the bar, short. */
    readonly label: string;
    /** Not negative. */
    readonly value: number;
    /** The value in words, for the table and under the pointer. */
    readonly text: string;
  }[];
  /** The heads of the table's columns. */
  readonly categoryTitle: string;
  readonly valueTitle: string;
  readonly axis: (value: number) => string;
}

/** Bars side by side over an axis; the same as a table for whoever cannot see it. */
export function barChart({ language, label, bars, categoryTitle, valueTitle, axis }: BarChartOptions): TemplateResult {
  const ticks = axisTicks(Math.max(0, ...bars.map(({ value }) => value)));
  const top = ticks.at(-1) ?? 1;
  const percent = (value: number): string => `${100 - (100 * value) / top}%`;
  const slot = 100 / Math.max(1, bars.length);
  return html`<figure class="chart">
    <figcaption>${label}</figcaption>
    <div class="chart-plot" aria-hidden="true">
      <div class="chart-axis">${ticks.map((tick) => html`<span .style=${`--at: ${tick / top}`}>${axis(tick)}</span>`)}</div>
      <svg width="100%" height="100%">
        ${ticks.map((tick) => svg`<line class="chart-line" x1="0" x2="100%" y1=${percent(tick)} y2=${percent(tick)} />`)}
        ${bars.map(
          ({ label: name, value, text }, index) =>
            svg`<g><title>${name}: ${text}</title>
              <rect class="chart-touch" x="${slot * index}%" y="0" width="${slot}%" height="100%" />
              ${value === 0 ? nothing : svg`<rect class="chart-bar" x="${slot * (index + 0.15)}%" width="${slot * 0.7}%" y=${percent(value)} height="${(100 * value) / top}%" rx="3" />`}</g>`,
        )}
      </svg>
      <div class="chart-labels" .style=${`--bars: ${bars.length}`}>${bars.map(({ label: name }) => html`<span>${name}</span>`)}</div>
    </div>
    <details>
      <summary>${screenTexts[language].design.asTable}</summary>
      <table class="plain-table">
        <thead>
          <tr>
            <th scope="col">${categoryTitle}</th>
            <th scope="col" class="end">${valueTitle}</th>
          </tr>
        </thead>
        <tbody>
          ${bars.map(
            ({ label: name, text }) =>
              html`<tr>
                <th scope="row">${name}</th>
                <td class="end">${text}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </details>
  </figure>`;
}

/** From zero to the first round step that is not below the highest value: at most six, in steps of 1, 2 or 5. */
function axisTicks(highest: number): number[] {
  if (highest <= 0) return [0, 1];
  const rough = highest / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const count = Math.ceil(highest / step);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

export const barChartStyles = css`
  .chart {
    display: grid;
    gap: var(--space-4);
    margin: 0;
  }
  .chart figcaption {
    font-weight: 600;
  }
  .chart-plot {
    display: grid;
    grid-template: 15rem auto / auto minmax(0, 1fr);
    gap: var(--space-2) var(--space-3);
    padding-top: 0.6em;
    color: var(--ink-soft);
    font-size: var(--text-small);
    font-variant-numeric: tabular-nums;
  }
  .chart-axis {
    position: relative;
    display: grid;
    align-items: end;
    text-align: end;
  }
  /* All in one cell, so that the widest makes the room; each moved up to its line. */
  .chart-axis span {
    grid-area: 1 / 1;
    line-height: 1;
    transform: translateY(calc(0.5em - 15rem * var(--at)));
  }
  .chart-plot svg {
    overflow: visible;
  }
  .chart-line {
    stroke: var(--line);
  }
  .chart-bar {
    fill: var(--busy);
  }
  .chart-touch {
    fill: transparent;
  }
  g:hover .chart-bar {
    fill: var(--ink);
  }
  .chart-labels {
    grid-column: 2;
    display: grid;
    grid-template-columns: repeat(var(--bars), minmax(0, 1fr));
    text-align: center;
  }
  .chart-labels span {
    overflow: hidden;
  }
  .chart summary {
    display: inline-flex;
    align-items: center;
    min-height: var(--touch-small);
    cursor: pointer;
    font-weight: 600;
  }
  .plain-table {
    width: 100%;
    border-collapse: collapse;
    font-variant-numeric: tabular-nums;
  }
  .plain-table :is(th, td) {
    padding: var(--space-2) var(--space-3);
    border-bottom: 1px solid var(--line);
    font-weight: 400;
    text-align: start;
  }
  .plain-table thead th {
    color: var(--ink-soft);
    font-weight: 600;
  }
  .plain-table .end {
    text-align: end;
  }
`;
