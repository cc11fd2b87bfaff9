import type { Overlap } from '../../../preload/procedures/day.ts';
import { formatDateTime, formatMoney, type Language } from '../../locales/i18n.ts';
import { managerTexts } from '../../locales/manager.ts';
import { byCurrency, netMinor } from './day-figures.ts';

/** Says of an earlier report that it has money of this one, and how much it is about. */
export function overlapText(
  language: Language,
  { number, atMs, laneId, lanes }: Overlap,
  laneName: string,
): string {
  const { allLanes, report } = managerTexts[language].day;
  const amounts = byCurrency(lanes).map((figures) =>
    formatMoney(language, { amountMinor: netMinor(figures), currency: figures.currency }),
  );
  return report.overlap({
    lane: laneId === null ? allLanes : laneName,
    number,
    time: formatDateTime(language, atMs),
    amount: amounts.join(', ') || '0',
  });
}
