import { html, LitElement, nothing, svg, type TemplateResult, unsafeCSS } from 'lit';
import { state } from 'lit/decorators.js';
import { isLanguage, type Language } from '../../locales/i18n.ts';
import { keyboardTexts, type KeyboardTexts } from '../../locales/keyboard.ts';
import { focused } from '../focus.ts';
import { icon } from '../icons.ts';
import { buttonStyles, sharedStyles } from '../styles.ts';
import { besideSpace, type Layer, layerFor, rowsOf } from './layouts.ts';
import { isTextField, modeOf, type TextField } from './text-field.ts';
import styles from './keyboard.css?inline';
import pageStyles from './page.css?inline';

/**
 * The keyboard closes a moment after its field has lost the focus: a button that is being touched
 * must not move away below the finger.
 */
const followEveryMs = 150;
/** The backspace repeats while it is held down. */
const repeats = { afterMs: 450, everyMs: 70 };

const pageSheet = new CSSStyleSheet();
pageSheet.replaceSync(pageStyles);

const faces = {
  shift: svg`<path d="M12 4L4 12.500h4.500V19h7v-6.500H20z"/>`,
  capsLock: svg`<path d="M12 3L4 11.500h4.500V16h7v-4.500H20z"/><path d="M8.500 20h7"/>`,
  enter: svg`<path d="M19.500 5v8h-14M9.500 8.500L5 13l4.500 4.500"/>`,
  hide: svg`<rect x="2.500" y="4" width="19" height="10" rx="2"/><path d="M6 7.500h.1M10 7.500h.1M14 7.500h.1M18 7.500h.1M8 11h8M9 17.500l3 3 3-3"/>`,
} as const;

/**
 * The keyboard on the screen. It types into the field with the focus and never takes the focus
 * itself. The browser does the editing, so that `input`, `change`, undo and `maxlength` work. It is
 * at the lower edge, above modal dialogs too; page and dialogs end where it begins (`--keyboard`).
 */
export class Keyboard extends LitElement {
  static override styles = [sharedStyles, buttonStyles, unsafeCSS(styles)];

  @state() layer: Layer = 'letters';
  @state() shift: 'off' | 'once' | 'locked' = 'off';
  /** The field that is typed into; null while the keyboard is closed. */
  @state() field: TextField | null = null;
  #following: ReturnType<typeof setInterval> | undefined;
  #repeating: ReturnType<typeof setTimeout> | undefined;
  #isPressing = false;
  readonly #room = new ResizeObserver(() =>
    this.field === null ? this.#makeRoom() : this.#show(this.field),
  );

  override connectedCallback(): void {
    this.popover = 'manual';
    super.connectedCallback();
    for (const type of ['pointerdown', 'pointerup', 'pointercancel'] as const)
      window.addEventListener(type, this.#onPointer, { capture: true });
    this.#room.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const type of ['pointerdown', 'pointerup', 'pointercancel'] as const)
      window.removeEventListener(type, this.#onPointer, { capture: true });
    this.#room.disconnect();
    clearTimeout(this.#repeating);
    this.#isPressing = false;
    this.#makeRoom();
  }

  open(field: TextField): void {
    if (this.field !== field) {
      this.layer = layerFor(modeOf(field));
      this.shift = 'off';
    }
    this.field = field;
    // Outside of a modal dialog nothing takes a press.
    const place = dialogAround(field) ?? document.body;
    if (this.parentNode !== place) place.append(this);
    this.showPopover();
    this.#following ??= setInterval(() => this.#follow(), followEveryMs);
    void this.updateComplete.then(() => this.#show(field));
  }

  close(): void {
    if (this.field === null) return;
    clearInterval(this.#following);
    this.#following = undefined;
    this.field = null;
    if (this.isConnected) this.hidePopover();
    this.#makeRoom();
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.field === null) return nothing;
    const { language, words } = this;
    const [top, middle, bottom] = rowsOf(this.layer, words);
    const [before, after] = besideSpace(modeOf(this.field));
    const face = (one: string): string =>
      this.shift === 'off' ? one : one.toLocaleUpperCase(language);
    const characters = (row: string): TemplateResult[] =>
      Array.from(
        row,
        (one) => html`<button tabindex="-1" data-key=${face(one)}>${face(one)}</button>`,
      );
    const other = this.layer === 'letters' ? 'digits' : 'letters';
    const otherFace = other === 'digits' ? '123' : 'ABC';
    return html`<div class="rows" role="region" aria-label=${words.name} @pointerdown=${this.#onDown} @mousedown=${keepFocus} @click=${this.#onClick}>
      <div class="keys">${characters(top)}</div>
      <div class="keys">${characters(middle)}</div>
      <div class="keys">${this.layer === 'letters' ? this.#shiftKey(words) : this.#moreKey(words)} ${characters(bottom)} ${named('backspace', words.backspace, icon('backspace'))}</div>
      <div class="keys">
        ${named(other, `${otherFace}: ${words[other]}`, otherFace)} ${characters(before)} ${named('space', words.space, words.space)} ${characters(after)}
        ${named('enter', words.enter, drawn('enter'))} ${named('hide', words.hide, drawn('hide'))}
      </div>
    </div>`;
  }

  #shiftKey({ shift, capsLock }: KeyboardTexts): TemplateResult {
    const isLocked = this.shift === 'locked';
    return named(
      'shift',
      isLocked ? capsLock : shift,
      drawn(isLocked ? 'capsLock' : 'shift'),
      this.shift !== 'off',
    );
  }

  #moreKey({ more }: KeyboardTexts): TemplateResult {
    return named('more', more, '€ { [', this.layer === 'signs');
  }

  private get language(): Language {
    const { lang } = document.documentElement;
    return isLanguage(lang) ? lang : 'en';
  }

  private get words(): KeyboardTexts {
    return keyboardTexts[this.language];
  }

  readonly #onDown = (event: PointerEvent): void => {
    keepFocus(event);
    const key = keyAt(event);
    if (key === null) return;
    this.#press(key);
    if (key !== 'backspace') return;
    const repeat = (): void => {
      this.#press(key);
      this.#repeating = setTimeout(repeat, repeats.everyMs);
    };
    this.#repeating = setTimeout(repeat, repeats.afterMs);
  };

  /**
   * Only for screen readers, which click without a pointer. With a pointer a key is pressed as soon
   * as it is touched.
   */
  readonly #onClick = (event: PointerEvent): void => {
    const key = event.detail === 0 ? keyAt(event) : null;
    if (key !== null) this.#press(key);
  };

  readonly #onPointer = ({ type }: PointerEvent): void => {
    this.#isPressing = type === 'pointerdown';
    if (!this.#isPressing) clearTimeout(this.#repeating);
  };

  #press(key: string): void {
    const { field } = this;
    if (field === null || focused() !== field) return;
    switch (key) {
      case 'shift':
        this.shift = ({ off: 'once', once: 'locked', locked: 'off' } as const)[this.shift];
        break;
      case 'letters':
      case 'digits':
        this.layer = key;
        this.shift = 'off';
        break;
      case 'more':
        this.layer = this.layer === 'signs' ? 'digits' : 'signs';
        break;
      case 'hide':
        this.close();
        break;
      case 'backspace':
        edit('delete');
        break;
      case 'enter':
        pressEnter(field);
        break;
      default:
        edit('insertText', key === 'space' ? ' ' : key);
        if (this.shift === 'once') this.shift = 'off';
    }
  }

  #follow(): void {
    if (this.#isPressing) return;
    const at = focused();
    if (at === this.field && this.isConnected) return;
    if (isTextField(at)) this.open(at);
    else this.close();
  }

  #show(field: TextField): void {
    this.#makeRoom();
    // With its label and its hint, where there is room for them.
    field.closest('.field')?.scrollIntoView({ block: 'nearest' });
    (field.closest('.field-box') ?? field).scrollIntoView({ block: 'nearest' });
  }

  #makeRoom(): void {
    const height = this.isConnected ? this.offsetHeight : 0;
    document.documentElement.style.setProperty('--keyboard', `${height}px`);
    const others = document.adoptedStyleSheets.filter((sheet) => sheet !== pageSheet);
    document.adoptedStyleSheets = height === 0 ? others : [...others, pageSheet];
  }
}
customElements.define('tb-keyboard', Keyboard);

function named(key: string, label: string, face: unknown, isPressed?: boolean): TemplateResult {
  return html`<button tabindex="-1" data-key=${key} aria-label=${label} aria-pressed=${isPressed ?? nothing}>${face}</button>`;
}

function drawn(face: keyof typeof faces): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${faces[face]}</svg>`;
}

function keepFocus(event: Event): void {
  event.preventDefault();
}

function keyAt({ target }: Event): string | null {
  return target instanceof Element ? (target.closest('button')?.dataset['key'] ?? null) : null;
}

/**
 * What browsers have kept for editors: nothing else types as a person does, and `setRangeText`
 * would leave out `change`, undoing and the longest length.
 */
function edit(command: 'insertText' | 'insertLineBreak' | 'delete', text?: string): void {
  document.execCommand(command, false, text);
}

/** What the page does on Enter; otherwise a new line, where the field has several. */
function pressEnter(field: TextField): void {
  const goesOn = field.dispatchEvent(
    new KeyboardEvent('keydown', {
      key: 'Enter',
      code: 'Enter',
      bubbles: true,
      composed: true,
      cancelable: true,
    }),
  );
  if (goesOn && field instanceof HTMLTextAreaElement) edit('insertLineBreak');
}

/**
 * The dialog that contains the field, also through slots and shadow roots; null when there is none.
 */
function dialogAround(field: Node): HTMLDialogElement | null {
  let at: Node | null = field;
  while (at !== null && !(at instanceof HTMLDialogElement)) {
    const slot: Node | null = at instanceof Element ? at.assignedSlot : null;
    at = slot ?? at.parentNode ?? (at instanceof ShadowRoot ? at.host : null);
  }
  return at;
}
