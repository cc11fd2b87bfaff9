export type TextField = HTMLInputElement | HTMLTextAreaElement;

const textTypes: ReadonlySet<string> = new Set([
  'text',
  'search',
  'password',
  'email',
  'url',
  'tel',
  'number',
]);

/** The original input mode of each field that {@link keepSystemAway} has changed. */
const modes = new WeakMap<TextField, string>();

/**
 * Whether text can be typed into it. The display of a pad is excluded, because it has keys of its
 * own (`inputmode=none`).
 */
export function isTextField(element: unknown): element is TextField {
  const isText =
    element instanceof HTMLTextAreaElement ||
    (element instanceof HTMLInputElement && textTypes.has(element.type));
  return (
    isText &&
    !element.readOnly &&
    !element.disabled &&
    (modes.has(element) || element.inputMode !== 'none')
  );
}

/** The text field that was pressed itself or by its label; null when it was neither. */
export function fieldAt(path: readonly EventTarget[]): TextField | null {
  for (const at of path) {
    const pressed = at instanceof HTMLLabelElement ? at.control : at;
    if (isTextField(pressed)) return pressed;
  }
  return null;
}

/** The kind of text: the field's input mode, or else its type. */
export function modeOf(field: TextField): string {
  return modes.get(field) ?? (field.inputMode === '' ? field.type : field.inputMode);
}

/** Keeps the system from opening its own keyboard for this field too. */
export function keepSystemAway(field: TextField): void {
  if (modes.has(field)) return;
  modes.set(field, modeOf(field));
  field.inputMode = 'none';
}
