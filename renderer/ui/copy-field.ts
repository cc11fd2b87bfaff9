import { html, type TemplateResult } from 'lit';
import { icon } from './icons.ts';

export interface CopyFieldOptions {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  /** Number of rows of a text of several lines. */
  readonly rows?: number;
  /** What the key says. */
  readonly copy: string;
  readonly onCopied: () => void;
}

/** A text to be carried elsewhere, with a key that copies it. It can be selected and copied by hand as well. */
export function copyField({ id, label, value, rows = 1, copy, onCopied }: CopyFieldOptions): TemplateResult {
  const onCopy = ({ currentTarget }: Event): void => {
    const text = (currentTarget as HTMLElement).parentElement?.querySelector('textarea');
    text?.select();
    // What the clipboard's own interface asks for is refused to every page in the desktop app; a key that was pressed may copy what is selected.
    if (document.execCommand('copy')) onCopied();
  };
  return html`<div class="field">
    <label for=${id}>${label}</label>
    <div class="copy-field">
      <div class="field-box"><textarea id=${id} data-testid=${id} class="mono" rows=${rows} readonly spellcheck="false" .value=${value}></textarea></div>
      <button data-testid="copy-${id}" @click=${onCopy}>${icon('copy')} ${copy}</button>
    </div>
  </div>`;
}
