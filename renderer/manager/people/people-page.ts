import { html, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { state } from 'lit/decorators.js';
import type { OutputOf } from '../../../preload/procedures.ts';
import { dialog } from '../../ui/dialog.ts';
import { icon } from '../../ui/icons.ts';
import { notice } from '../../ui/notice.ts';
import { designStyles } from '../../ui/styles.ts';
import { Toasts } from '../../ui/toast.ts';
import './new-manager.ts';
import type { NewManager, NewManagerProblem } from './new-manager.ts';
import './till-tokens.ts';
import type { TillTokens } from './till-tokens.ts';
import { ManagerPage } from '../page.ts';
import rows from './rows.css?inline';
import styles from './people-page.css?inline';
import { frameTexts } from '../../locales/frame.ts';
import { managerTexts, type ManagerTexts } from '../../locales/manager.ts';

type Manager = OutputOf<'session'>['managers'][number];
type Asking =
  | { readonly kind: 'add' }
  | { readonly kind: 'changePin' | 'remove'; readonly manager: Manager };

/** The managers of this counter: adds and removes them, and sets their PINs. */
class PeoplePage extends ManagerPage {
  static override styles = [designStyles, unsafeCSS(rows), unsafeCSS(styles)];

  @state() session: OutputOf<'session'> | null = null;
  @state() asking: Asking | null = null;
  @state() newProblem: NewManagerProblem | null = null;
  /** Why the last request was refused, in words. */
  @state() refused: string | null = null;
  @state() busy = false;
  readonly #toasts = new Toasts(this);

  private get words(): ManagerTexts {
    return managerTexts[this.language];
  }

  override opened(): void {
    void this.#load();
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<TillTokens>('tb-till-tokens')?.load(),
    );
  }

  async #load(): Promise<void> {
    const answer = await this.ask('session', {});
    if (answer.ok) this.session = answer.value;
    else this.refused = frameTexts[this.language].refusal[answer.code];
  }

  protected override render(): TemplateResult {
    const { words } = this;
    return html`<section class="page" aria-labelledby="people-title">
        <div class="spread">
          <h1 class="title" id="people-title">${frameTexts[this.language].page.people}</h1>
          <button class="primary" data-testid="add-manager" @click=${() => this.#begin({ kind: 'add' })}>${icon('plus')} ${words.people.add}</button>
        </div>
        <p class="lead">${words.people.lead}</p>
        ${this.asking === null && this.refused !== null ? notice({ kind: 'error', body: this.refused }) : nothing}
        <ul>
          ${this.session?.managers.map((manager) => this.#row(manager))}
        </ul>
        <tb-till-tokens .ask=${this.ask} .language=${this.language} .visible=${this.visible}></tb-till-tokens>
      </section>
      ${this.asking === null ? nothing : this.#dialog(this.asking)} ${this.#toasts.render(this.language)}`;
  }

  #row(manager: Manager): TemplateResult {
    const { people } = this.words;
    const isYou = manager.managerId === this.session?.signedIn?.managerId;
    return html`<li class="card spread" data-testid="person">
      <span class="name">${icon('user')} <span>${manager.name}</span> ${isYou ? html`<span class="you">${people.you}</span>` : nothing}</span>
      <span class="row">
        <button aria-label="${people.changePin}: ${manager.name}" data-testid="change-pin" @click=${() => this.#begin({ kind: 'changePin', manager })}>${icon('key')} ${people.changePin}</button>
        <button aria-label="${people.remove}: ${manager.name}" data-testid="remove" @click=${() => this.#begin({ kind: 'remove', manager })}>${icon('trash')} ${people.remove}</button>
      </span>
    </li>`;
  }

  #dialog(asking: Asking): TemplateResult {
    return asking.kind === 'remove' ? this.#askRemove(asking.manager) : this.#askNew(asking);
  }

  #askNew(asking: Exclude<Asking, { kind: 'remove' }>): TemplateResult {
    const { people } = this.words;
    const { newManager } = frameTexts[this.language];
    return dialog({
      language: this.language,
      title:
        asking.kind === 'add'
          ? people.addTitle
          : people.changePinTitle({ name: asking.manager.name }),
      visible: this.visible,
      onClose: () => this.#end(),
      body: html`${this.refused === null ? nothing : notice({ kind: 'error', body: this.refused })}
        <p class="soft">${newManager.pinHint}</p>
        <tb-new-manager
          .language=${this.language}
          .asksName=${asking.kind === 'add'}
          .others=${this.session?.managers.map(({ name }) => name) ?? []}
          .saveLabel=${newManager.save}
          .busy=${this.busy}
          .problem=${this.newProblem}
          @chosen=${({ detail }: CustomEvent<NewManager>) => void (asking.kind === 'add' ? this.#add(detail) : this.#changePin(asking.manager, detail.pin))}
        ></tb-new-manager>`,
    });
  }

  #askRemove(manager: Manager): TemplateResult {
    const { people } = this.words;
    const isYou = manager.managerId === this.session?.signedIn?.managerId;
    if (this.session?.managers.length === 1)
      return dialog({
        language: this.language,
        title: people.removeTitle({ name: manager.name }),
        visible: this.visible,
        onClose: () => this.#end(),
        body: notice({ kind: 'warning', body: people.lastManager }),
        actions: html`<button data-testid="keep" @click=${() => this.#end()}>${this.texts.cancel}</button>
          <button class="primary" data-testid="add-first" @click=${() => this.#begin({ kind: 'add' })}>${icon('plus')} ${people.add}</button>`,
      });
    return dialog({
      language: this.language,
      title: people.removeTitle({ name: manager.name }),
      visible: this.visible,
      onClose: () => this.#end(),
      body: html`<p>${people.removeBody} ${isYou ? people.removeYourself : ''}</p>
        ${this.refused === null ? nothing : notice({ kind: 'error', body: this.refused })}`,
      actions: html`<button data-testid="keep" @click=${() => this.#end()}>${this.texts.cancel}</button>
        <button class="danger" data-testid="remove-now" aria-busy=${this.busy} @click=${() => void this.#remove(manager)}>${icon('trash')} ${people.remove}</button>`,
    });
  }

  #begin(asking: Asking): void {
    this.refused = null;
    this.newProblem = null;
    this.asking = asking;
  }

  #end(): void {
    this.asking = null;
    this.refused = null;
  }

  async #add({ name, pin }: NewManager): Promise<void> {
    const { people } = this.words;
    const { newManager, refusal } = frameTexts[this.language];
    const answer = await this.#doing(this.ask('addManager', { name: name ?? '', pin }));
    if (answer.ok) return this.#done(people.added({ name: name ?? '' }));
    if (answer.code === 'nameTaken')
      this.newProblem = { field: 'name', words: newManager.nameTaken };
    else this.refused = refusal[answer.code];
  }

  async #changePin({ managerId, name }: Manager, pin: string): Promise<void> {
    const answer = await this.#doing(this.ask('changePin', { managerId, pin }));
    if (answer.ok) return this.#done(this.words.people.changed({ name }));
    this.refused = frameTexts[this.language].refusal[answer.code];
  }

  async #remove({ managerId, name }: Manager): Promise<void> {
    const answer = await this.#doing(this.ask('removeManager', { managerId }));
    if (answer.ok) return this.#done(this.words.people.removed({ name }));
    this.refused =
      answer.code === 'lastManager'
        ? this.words.people.lastManager
        : frameTexts[this.language].refusal[answer.code];
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

  #done(text: string): void {
    this.#end();
    this.#toasts.show({ kind: 'success', text });
    void this.#load();
  }
}
customElements.define('tb-people-page', PeoplePage);
