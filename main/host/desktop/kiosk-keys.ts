/** What a keyboard can do to a window beside typing on its page. */
import type { Input } from 'electron';

type Pressed = Pick<Input, 'type' | 'key' | 'control' | 'alt' | 'shift' | 'meta'>;

/** Keys for reload, developer tools, zoom, print, save, history and full screen. */
const withCommand: ReadonlySet<string> = new Set([
  'r',
  'w',
  'q',
  'p',
  's',
  'u',
  'o',
  'n',
  't',
  'm',
  'h',
  'j',
  'd',
  'f',
  'g',
  '0',
  '+',
  '-',
  '=',
  'f5',
]);
const alone: ReadonlySet<string> = new Set([
  'f5',
  'f11',
  'f12',
  'f3',
  'f7',
  'browserback',
  'browserforward',
  'browserrefresh',
  'browserhome',
]);
const withAlt: ReadonlySet<string> = new Set(['arrowleft', 'arrowright', 'home', ' ']);

/**
 * Alt+F4 is refused where the window is closed. Copying, cutting, pasting, selecting and undoing
 * what is typed stays.
 */
export function isRefusedKey({ type, key, control, alt, shift, meta }: Pressed): boolean {
  if (type !== 'keyDown') return false;
  const name = key.toLowerCase();
  if (alone.has(name) || (alt && withAlt.has(name))) return true;
  // AltGr is Control and Alt at once on Windows, and types characters.
  if ((!control && !meta) || (control && alt && !shift)) return false;
  return withCommand.has(name) || (shift && (name === 'i' || name === 'c'));
}
