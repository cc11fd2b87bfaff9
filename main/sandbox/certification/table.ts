/** The report as a table on a terminal. */
import { type Report, verdictWords, whatItShows } from './report.ts';

const widest = { title: 48, shows: 92 };

export function tableOf({ cases }: Report): string {
  const rows = cases.map(
    (one) =>
      [`${one.section} ${one.id}`, one.title, verdictWords[one.verdict], whatItShows(one)] as const,
  );
  const width = (column: 0 | 1 | 2): number => Math.max(...rows.map((row) => row[column].length));
  const [idWidth, titleWidth, verdictWidth] = [
    width(0),
    Math.min(widest.title, width(1)),
    width(2),
  ];
  const line = (id: string, title: string, verdict: string, shows: string): string =>
    `${id.padEnd(idWidth)}  ${short(title, titleWidth).padEnd(titleWidth)}  ${verdict.padEnd(verdictWidth)}  ${short(shows, widest.shows)}`.trimEnd();
  return [
    line('case', 'title', 'verdict', 'what it shows'),
    ...rows.map((row) => line(...row)),
  ].join('\n');
}

/**
 * Removes line breaks and control characters of a service's answer, which must not reach the
 * terminal.
 */
function short(text: string, longest: number): string {
  const plain = text.replaceAll(/[\p{C}\s]+/gu, ' ');
  return plain.length > longest ? `${plain.slice(0, longest - 1)}…` : plain;
}
