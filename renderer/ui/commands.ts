/** Commands that people are told to type, as data: no translation changes them. */
import type { FrameTexts } from '../locales/frame.ts';
import type { ScreenTexts } from '../locales/screens.ts';

export interface Command {
  readonly id: string;
  /** Says when it is the right one; missing where there is no other. */
  readonly label?: string;
  readonly command: string;
}

type Claimer = keyof ScreenTexts['portClaimed'];

const againstClaimer: Readonly<Record<Claimer, string>> = {
  brltty: 'sudo apt remove brltty',
  modemManager: 'sudo systemctl disable --now ModemManager',
  gpsd: 'sudo systemctl disable --now gpsd.socket gpsd',
};

/** Keeps a program off a till's port. */
export const commandOfClaimer = (claimer: Claimer): Command => ({
  id: claimer,
  command: againstClaimer[claimer],
});

/** Each has Tillbeacon start with the computer, depending on how it came there. */
export function commandsToStart(
  system: 'linux' | 'windows' | 'other',
  { starts: { nothing: labels } }: FrameTexts,
): Command[] {
  if (system !== 'linux') return [];
  return [
    { id: 'packaged', label: labels.packaged, command: 'sudo systemctl enable tillbeacon' },
    { id: 'unpacked', label: labels.unpacked, command: 'sudo ./tillbeacon service install' },
    { id: 'checkout', label: labels.checkout, command: 'sudo npm run service -- install' },
  ];
}
