import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Language } from '../locales/i18n.ts';
import { screenTexts } from '../locales/screens.ts';

export interface BarChartOptions {
  readonly language: Language;
  readonly label: string;
  readonly bars: readonly {
    /** A short text below the bar. */
    readonly label: string;
    /** Zero or more. */
    readonly value: number;
    /** The value in words, for the table and the tooltip. */
    readonly text: string;
  }[];
  readonly categoryTitle: string;
  readonly valueTitle: string;
  readonly axis: (value: number) => string;
}

/** A bar chart with an axis, and the same figures as a table for people who cannot see it. */
export function barChart({
  language,
  label,
  bars,
  categoryTitle,
  valueTitle,
  axis,
}: BarChartOptions): TemplateResult {
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

/**
 * Ticks from zero to the first round value at or above the highest: at most six, in steps of 1, 2
 * or 5.
 */
function axisTicks(highest: number): number[] {
  if (highest <= 0) return [0, 1];
  const rough = highest / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const count = Math.ceil(highest / step);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}
