import { html, LitElement, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Bridge } from '../../../preload/contract.ts';
import type { OutputOf } from '../../../preload/procedures.ts';
import { maxTillNameLength } from '../../../preload/procedures/plain.ts';
import type { TillToken } from '../../../preload/procedures/till-tokens.ts';
import { checkbox } from '../../ui/checkbox.ts';
import { dialog } from '../../ui/dialog.ts';
import { field } from '../../ui/field.ts';
import { icon } from '../../ui/icons.ts';
import { notice } from '../../ui/notice.ts';
import { select } from '../../ui/select.ts';
import { designStyles } from '../../ui/styles.ts';
import type { Language } from '../../locales/i18n.ts';
import { frameTexts } from '../../locales/frame.ts';
import { tokenTexts, type TokenTexts } from '../../locales/tokens.ts';
import { screenTexts } from '../../locales/screens.ts';
import rows from './rows.css?inline';
import styles from './till-tokens.css?inline';

type Tills = OutputOf<'tillTokens'>;
type Scope = TillToken['scopes'][number];
type Asking =
  | { readonly kind: 'make' }
  | { readonly kind: 'made'; readonly name: string; readonly token: string }
  | { readonly kind: 'revoke'; readonly token: TillToken };

const scopes: readonly Scope[] = ['pay', 'refund', 'read'];
/** A till that starts payments has to read their results. */
const defaultScopes: readonly Scope[] = ['pay', 'read'];

/** The tokens of tills that are software. Shows nothing when there are no such tills. */
class TillTokens extends LitElement {
  static override styles = [designStyles, unsafeCSS(rows), unsafeCSS(styles)];

  @property({ attribute: false }) ask!: Bridge['ask'];
  @property({ attribute: false }) language!: Language;
  @property({ attribute: false }) visible!: boolean;
  @state() tills: Tills | null = null;
  @state() asking: Asking | null = null;
  @state() name = '';
  @state() laneId = '';
  @state() scopes: readonly Scope[] = defaultScopes;
  @state() problem: string | null = null;
  @state() refused: string | null = null;
  @state() busy = false;

  private get words(): TokenTexts {
    return tokenTexts[this.language];
  }

  async load(): Promise<void> {
    const answer = await this.ask('tillTokens', {});
    this.tills = answer.ok ? answer.value : null;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { tills } = this;
    if (tills === null || (tills.lanes.length === 0 && tills.tokens.length === 0)) return nothing;
    const { words } = this;
    return html`<section class="stack" aria-labelledby="tills-title">
        <div class="spread">
          <h2 class="heading" id="tills-title">${words.title}</h2>
          <button data-testid="add-token" ?disabled=${tills.lanes.length === 0} @click=${() => this.#begin()}>${icon('plus')} ${words.add}</button>
        </div>
        <p class="soft">${words.lead} ${tills.address === null ? nothing : words.at({ address: tills.address })}</p>
        <ul>
          ${tills.tokens.map((token) => this.#row(token))}
        </ul>
      </section>
      ${this.asking === null ? nothing : this.#dialog(this.asking)}`;
  }

  #row(token: TillToken): TemplateResult {
    const { words } = this;
    return html`<li class="card spread" data-testid="token">
      <span class="name">${icon('key')} <span>${token.name}</span> <span class="soft">${this.#about(token)}</span></span>
      <button aria-label="${words.revoke}: ${token.name}" data-testid="revoke" @click=${() => this.#show({ kind: 'revoke', token })}>${icon('trash')} ${words.revoke}</button>
    </li>`;
  }

  #about({ laneId, scopes: allowed }: TillToken): string {
    const { words } = this;
    const lane = this.tills?.lanes.find((one) => one.laneId === laneId)?.name ?? laneId;
    return [
      lane,
      ...scopes.filter((scope) => allowed.includes(scope)).map((scope) => words.short[scope]),
    ].join(' · ');
  }

  #dialog(asking: Asking): TemplateResult {
    if (asking.kind === 'made') return this.#showMade(asking);
    return asking.kind === 'make' ? this.#askMake() : this.#askRevoke(asking.token);
  }

  #askMake(): TemplateResult {
    const { words } = this;
    const lanes = this.tills?.lanes ?? [];
    return dialog({
      language: this.language,
      title: words.addTitle,
      visible: this.visible,
      onClose: () => this.#show(null),
      body: html`<div class="stack">
        ${this.#refusal()}
        ${field({
          id: 'token-name',
          label: words.name,
          hint: words.nameHint,
          value: this.name,
          problem: this.problem,
          autocomplete: 'off',
          required: true,
          focused: true,
          onInput: (text) => {
            this.name = text;
            this.problem = null;
          },
          onEnter: () => void this.#make(),
        })}
        ${
          lanes.length < 2
            ? nothing
            : select({
                id: 'token-lane',
                label: words.lane,
                value: this.laneId,
                options: lanes.map(({ laneId, name }) => ({ value: laneId, label: name })),
                onChange: (laneId) => (this.laneId = laneId),
              })
        }
        <fieldset class="stack"><legend>${words.may}</legend>${scopes.map((scope) => this.#scope(scope))}</fieldset>
      </div>`,
      actions: html`<button data-testid="keep" @click=${() => this.#show(null)}>${screenTexts[this.language].cancel}</button>
        <button class="primary" data-testid="make-token" aria-busy=${this.busy} ?disabled=${this.scopes.length === 0} @click=${() => void this.#make()}>${words.make}</button>`,
    });
  }

  #scope(scope: Scope): TemplateResult {
    return checkbox({
      id: `scope-${scope}`,
      label: this.words.scope[scope],
      checked: this.scopes.includes(scope),
      onChange: (checked) =>
        (this.scopes = scopes.filter((one) =>
          one === scope ? checked : this.scopes.includes(one),
        )),
    });
  }

  /** The token is shown only here, so that Escape does not close the dialog. */
  #showMade({ name, token }: Extract<Asking, { kind: 'made' }>): TemplateResult {
    const { words } = this;
    return dialog({
      language: this.language,
      title: words.madeTitle({ name }),
      visible: this.visible,
      closable: false,
      onClose: () => this.#show(null),
      body: html`<div class="stack"><p>${words.once}</p><p class="card mono token" data-testid="new-token">${token}</p></div>`,
      actions: html`<button class="primary" data-testid="token-kept" @click=${() => this.#show(null)}>${words.kept}</button>`,
    });
  }

  #askRevoke(token: TillToken): TemplateResult {
    const { words } = this;
    return dialog({
      language: this.language,
      title: words.revokeTitle({ name: token.name }),
      visible: this.visible,
      onClose: () => this.#show(null),
      body: html`<p>${words.revokeBody}</p>
        ${this.#refusal()}`,
      actions: html`<button data-testid="keep" @click=${() => this.#show(null)}>${screenTexts[this.language].cancel}</button>
        <button class="danger" data-testid="revoke-now" aria-busy=${this.busy} @click=${() => void this.#revoke(token)}>${icon('trash')} ${words.revoke}</button>`,
    });
  }

  #refusal(): TemplateResult | typeof nothing {
    return this.refused === null ? nothing : notice({ kind: 'error', body: this.refused });
  }

  #begin(): void {
    this.name = '';
    this.laneId = this.tills?.lanes[0]?.laneId ?? '';
    this.scopes = defaultScopes;
    this.problem = null;
    this.#show({ kind: 'make' });
  }

  #show(asking: Asking | null): void {
    this.refused = null;
    this.asking = asking;
  }

  async #make(): Promise<void> {
    const { newManager, refusal } = frameTexts[this.language];
    const name = this.name.trim();
    this.problem =
      name === ''
        ? newManager.nameEmpty
        : name.length > maxTillNameLength
          ? newManager.nameTooLong
          : /\p{C}/u.test(name)
            ? newManager.nameNotAllowed
            : null;
    if (this.problem !== null || this.busy || this.scopes.length === 0) return;
    const answer = await this.#doing(
      this.ask('makeTillToken', { name, laneId: this.laneId, scopes: [...this.scopes] }),
    );
    if (answer.ok) this.#show({ kind: 'made', name, token: answer.value.token });
    else this.refused = answer.code === 'tooManyTokens' ? this.words.tooMany : refusal[answer.code];
    await this.load();
  }

  async #revoke({ tokenId }: TillToken): Promise<void> {
    if (this.busy) return;
    const answer = await this.#doing(this.ask('revokeTillToken', { tokenId }));
    if (answer.ok) this.#show(null);
    else this.refused = frameTexts[this.language].refusal[answer.code];
    await this.load();
  }

  async #doing<Result>(answer: Promise<Result>): Promise<Result> {
    this.busy = true;
    this.refused = null;
    try {
      return await answer;
    } finally {
      this.busy = false;
    }
  }
}
customElements.define('tb-till-tokens', TillTokens);

export type { TillTokens };
