export type TextField = HTMLInputElement | HTMLTextAreaElement;

const textTypes: ReadonlySet<string> = new Set(['text', 'search', 'password', 'email', 'url', 'tel', 'number']);

/** What kind of text each field takes that {@link keepSystemAway} was told of. */
const modes = new WeakMap<TextField, string>();

/** Something that a person may type into; a pad's display is not, because it has keys of its own. */
export function isTextField(element: unknown): element is TextField {
  const isText = element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && textTypes.has(element.type));
  return isText && !element.readOnly && !element.disabled && (modes.has(element) || element.inputMode !== 'none');
}

/** The text field that was pressed, or whose label was. */
export function fieldAt(path: readonly EventTarget[]): TextField | null {
  for (const at of path) {
    const pressed = at instanceof HTMLLabelElement ? at.control : at;
    if (isTextField(pressed)) return pressed;
  }
  return null;
}

/** As `inputmode` says, or else the type. */
export function modeOf(field: TextField): string {
  return modes.get(field) ?? (field.inputMode === '' ? field.type : field.inputMode);
}

/** So that the system does not open its own keyboard for this field too. */
export function keepSystemAway(field: TextField): void {
  if (modes.has(field)) return;
  modes.set(field, modeOf(field));
  field.inputMode = 'none';
}
