/** What would be interrupted if the program ended now, and in which words that is told. */
import type { LaneView } from '../../../preload/contract.ts';
import { type Language, locales } from '../../core/domain/languages.ts';
import { type DesktopTexts, desktopTexts } from './texts.ts';

type ShownLane = Pick<LaneView, 'name' | 'currency' | 'state' | 'refund' | 'unsettled'>;
type Ends = keyof DesktopTexts['quit']['ends'];

export interface UnderWay {
  readonly laneName: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** What the next start does about it. */
  readonly ends: Ends;
}

/** Payments and refunds under way in all lanes, payments first. */
export function underWay(lanes: readonly ShownLane[]): readonly UnderWay[] {
  return lanes.flatMap((lane) => [...paymentAt(lane), ...refundAt(lane), ...unsettledAt(lane)]);
}

/**
 * Somebody waits in front of a lane. What is unsettled goes on by itself, also after a restart, and
 * may last for days.
 */
export function isSomebodyWaiting(lanes: readonly ShownLane[]): boolean {
  return lanes.some((lane) => paymentAt(lane).length + refundAt(lane).length > 0);
}

function paymentAt({ name: laneName, state }: ShownLane): UnderWay[] {
  switch (state.kind) {
    case 'contactingService':
    case 'waitingForCustomer':
    case 'customerFound':
    case 'approveInApp':
      return [
        { laneName, amountMinor: state.amountMinor, currency: state.currency, ends: 'undecided' },
      ];
    case 'confirming':
      return [
        { laneName, amountMinor: state.amountMinor, currency: state.currency, ends: 'confirming' },
      ];
    case 'cancelling':
      return [
        { laneName, amountMinor: state.amountMinor, currency: state.currency, ends: 'cancelling' },
      ];
    default:
      return [];
  }
}

function refundAt({ name: laneName, refund }: ShownLane): UnderWay[] {
  return refund?.kind === 'refunding'
    ? [{ laneName, amountMinor: refund.amountMinor, currency: refund.currency, ends: 'refunding' }]
    : [];
}

/** Leaves out what needs a person, who is waited for with or without the program. */
function unsettledAt({ name: laneName, unsettled }: ShownLane): UnderWay[] {
  return unsettled
    .filter(({ needsPerson }) => !needsPerson)
    .map(({ amountMinor, currency, intent, kind }) => ({
      laneName,
      amountMinor,
      currency,
      ends:
        intent === 'cancel'
          ? 'unsettledCancel'
          : kind === 'refund'
            ? 'unsettledRefund'
            : 'unsettledCapture',
    }));
}

/** A line for each payment or refund. */
export function endsInWords(language: Language, all: readonly UnderWay[]): string {
  const { quit } = desktopTexts[language];
  return all
    .map(({ laneName, amountMinor, currency, ends }) => {
      const amount = new Intl.NumberFormat(locales[language], {
        style: 'currency',
        currency,
      }).format(amountMinor / 100);
      return quit.line({ lane: laneName, amount, ends: quit.ends[ends] });
    })
    .join('\n\n');
}
