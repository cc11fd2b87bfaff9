import type { KeyboardPresses } from '../../../preload/contract.ts';
import type { ThisPcChoices } from '../../../preload/procedures/this-pc.ts';

/**
 * Windows opens its touch keyboard when no keyboard is attached, and Macs have no touch displays.
 * What Linux has depends on the desktop, and most have none by themselves. Which keyboards are
 * attached says nothing at a counter: scanners count as keyboards.
 */
export function keyboardPresses(
  choice: ThisPcChoices['screenKeyboard'],
  platform: NodeJS.Platform,
): KeyboardPresses {
  if (choice === 'always') return 'any';
  return choice === 'automatic' && platform === 'linux' ? 'touch' : 'none';
}
