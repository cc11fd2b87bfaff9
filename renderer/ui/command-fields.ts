import { html, LitElement, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Command } from './commands.ts';
import type { Language } from '../locales/i18n.ts';
import { frameTexts } from '../locales/frame.ts';
import { copyField } from './copy-field.ts';
import { buttonStyles, fieldStyles, sharedStyles } from './styles.ts';
import styles from './command-fields.css?inline';

/** Commands as they are typed, each with a button that copies it. */
export function commandFields(
  language: Language,
  commands: readonly Command[],
): TemplateResult | typeof nothing {
  if (commands.length === 0) return nothing;
  return html`${commands.map((command) => html`<tb-command .language=${language} .command=${command}></tb-command>`)}`;
}

class CommandField extends LitElement {
  static override styles = [sharedStyles, buttonStyles, fieldStyles, unsafeCSS(styles)];
  @property({ attribute: false }) language!: Language;
  @property({ attribute: false }) command!: Command;
  @state() isCopied = false;

  protected override render(): TemplateResult {
    const { label, copy, copied } = frameTexts[this.language].command;
    return copyField({
      id: `command-${this.command.id}`,
      label: this.command.label ?? label,
      value: this.command.command,
      copy: this.isCopied ? copied : copy,
      onCopied: () => (this.isCopied = true),
    });
  }
}
customElements.define('tb-command', CommandField);
