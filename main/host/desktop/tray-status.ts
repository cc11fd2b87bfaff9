import type { LaneView } from '../../../preload/contract.ts';
import type { DesktopTexts } from './texts.ts';

export interface TrayStatus {
  readonly takesPayments: boolean;
  /** The status in one line, or a line for each lane that takes no payments. */
  readonly words: string;
}

type TrayLane = Pick<LaneView, 'name' | 'state'>;

/** @param lanes empty while nothing is set up; null when the daemon does not answer */
export function statusOf(
  lanes: readonly TrayLane[] | null,
  words: DesktopTexts['tray'],
): TrayStatus {
  if (lanes === null) return { takesPayments: false, words: words.noAnswer };
  if (lanes.length === 0) return { takesPayments: false, words: words.notSetUp };
  const lines = lanes.flatMap(({ name, state }) =>
    state.kind === 'notReady' ? [words.lane({ lane: name, why: words.why[state.reason] })] : [],
  );
  return lines.length === 0
    ? { takesPayments: true, words: words.takesPayments }
    : { takesPayments: false, words: lines.join('\n') };
}
