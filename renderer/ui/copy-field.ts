import { html, type TemplateResult } from 'lit';
import { icon } from './icons.ts';

export interface CopyFieldOptions {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  /** Number of rows of a text of several lines. */
  readonly rows?: number;
  /** Label of the button. */
  readonly copy: string;
  readonly onCopied: () => void;
}

/**
 * A read-only text with a button that copies it. The text can also be selected and copied by hand.
 */
export function copyField({
  id,
  label,
  value,
  rows = 1,
  copy,
  onCopied,
}: CopyFieldOptions): TemplateResult {
  const onCopy = ({ currentTarget }: Event): void => {
    const text = (currentTarget as HTMLElement).parentElement?.querySelector('textarea');
    text?.select();
    // The desktop app refuses every page the permission for the Clipboard API, but a click may copy
    // the selected text.
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
