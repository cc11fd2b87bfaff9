import type { TemplateResult } from 'lit';
import { screenKeyboards } from '../../../preload/procedures/plain.ts';
import type { ThisPcChoices } from '../../../preload/procedures/this-pc.ts';
import type { ManagerTexts } from '../../locales/manager.ts';
import { select } from '../../ui/select.ts';

interface KeyboardChoiceOptions {
  readonly chosen: ThisPcChoices['screenKeyboard'];
  readonly words: ManagerTexts['thisPc']['looks'];
  readonly onChange: (screenKeyboard: ThisPcChoices['screenKeyboard']) => void;
}

/** When the keyboard on the screen opens. */
export function keyboardChoice({ chosen, words, onChange }: KeyboardChoiceOptions): TemplateResult {
  return select({
    id: 'screen-keyboard',
    label: words.keyboard,
    hint: words.keyboardHint,
    value: chosen,
    options: screenKeyboards.map((value) => ({ value, label: words.keyboards[value] })),
    onChange,
  });
}
