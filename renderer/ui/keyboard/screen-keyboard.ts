import type { KeyboardPresses } from '../../../preload/contract.ts';
import { Keyboard } from './keyboard.ts';
import { OtherKeyboard } from './other-keyboard.ts';
import { fieldAt, keepSystemAway } from './text-field.ts';

const keyboard = new Keyboard();
/** The presses on a text field that open the keyboard. */
let presses: KeyboardPresses = 'none';

window.tillbeacon?.onKeyboard((chosen) => {
  presses = chosen === 'touch' || chosen === 'any' ? chosen : 'none';
  if (presses === 'none') keyboard.close();
});

const otherKeyboard = new OtherKeyboard(() => keyboard.close());
window.addEventListener('keydown', (event) => otherKeyboard.press(event), { capture: true });

// Before the field gets the focus, with which the system would open its keyboard.
window.addEventListener(
  'pointerdown',
  (event) => doesOpen(event) && withField(event, keepSystemAway),
  { capture: true },
);
window.addEventListener(
  'click',
  (event) => doesOpen(event) && withField(event, (field) => keyboard.open(field)),
  { capture: true },
);

// Printed pages have no room for the keyboard.
window.addEventListener('beforeprint', () => keyboard.close());

/** A click by a key has no pointer type. */
function doesOpen({ pointerType }: PointerEvent): boolean {
  if (presses === 'touch') return pointerType === 'touch' && !otherKeyboard.isUsed;
  return presses === 'any' && pointerType !== '';
}

function withField(
  event: Event,
  what: (field: Parameters<typeof keepSystemAway>[0]) => void,
): void {
  const field = fieldAt(event.composedPath());
  if (field !== null) what(field);
}
