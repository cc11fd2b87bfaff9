import { html, nothing, type PropertyValues, type TemplateResult, unsafeCSS } from 'lit';
import { state } from 'lit/decorators.js';
import type { AnswerTo } from '../../../preload/procedures.ts';
import type { ThisPc, ThisPcChoices } from '../../../preload/procedures/this-pc.ts';
import { formatPercent, type Language, languageNames, languages } from '../../locales/i18n.ts';
import { frameTexts } from '../../locales/frame.ts';
import { managerTexts, type ManagerTexts } from '../../locales/manager.ts';
import { checkbox } from '../../ui/checkbox.ts';
import { dialog } from '../../ui/dialog.ts';
import { icon } from '../../ui/icons.ts';
import { notice } from '../../ui/notice.ts';
import { select } from '../../ui/select.ts';
import { designStyles } from '../../ui/styles.ts';
import { Toasts } from '../../ui/toast.ts';
import { ManagerPage } from '../page.ts';
import { awakeForm, type TypedAwake } from './awake-form.ts';
import { chosenWindows } from './chosen-windows.ts';
import { keyboardChoice } from './keyboard-choice.ts';
import styles from './this-pc-page.css?inline';

const zooms = [50, 75, 90, 100, 110, 125, 150, 175, 200];
type Refused = Extract<AnswerTo<'changeThisPc'>, { ok: false }>;

/**
 * What this computer shows and how, and the way out of kiosk mode. Each choice is kept and applied
 * at once.
 */
class ThisPcPage extends ManagerPage {
  static override styles = [designStyles, unsafeCSS(styles)];

  /** null until loaded. */
  @state() thisPc: ThisPc | null = null;
  @state() refused: Refused | null = null;
  /** null: as it is kept. */
  @state() typedAwake: TypedAwake | null = null;
  @state() asksToQuit = false;
  @state() busy = false;
  readonly #toasts = new Toasts(this);

  override opened(): void {
    void this.#do(this.ask('thisPc', {}));
  }

  /** The choice that was refused may be far below it. */
  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('refused') && this.refused !== null)
      this.renderRoot.querySelector('.notice')?.scrollIntoView({ block: 'nearest' });
  }

  private get words(): ManagerTexts['thisPc'] {
    return managerTexts[this.language].thisPc;
  }

  protected override render(): TemplateResult {
    return html`<section class="page" aria-labelledby="this-pc-title">
        <h1 class="title" id="this-pc-title">${frameTexts[this.language].page.thisPc}</h1>
        <p class="lead">${this.words.lead}</p>
        ${this.#problem()} ${this.#warnings()} ${this.thisPc === null ? nothing : this.#choices(this.thisPc)}
      </section>
      ${this.asksToQuit ? this.#quitDialog() : nothing} ${this.#toasts.render(this.language)}`;
  }

  #problem(): TemplateResult | typeof nothing {
    if (this.refused === null) return nothing;
    if (this.refused.code === 'notHere')
      return notice({ kind: 'info', body: this.words.belongsToTheApp });
    const body =
      this.refused.field === 'windows'
        ? this.words.windows.notOnlyCustomer
        : frameTexts[this.language].refusal[this.refused.code];
    return notice({ kind: 'error', body });
  }

  #warnings(): TemplateResult[] {
    const { notices } = managerTexts[this.language].health;
    return (this.thisPc?.warnings ?? []).map(
      (code) =>
        html`<div data-testid=${code}>${notice({ kind: 'warning', title: notices[code].what, body: notices[code].next })}</div>`,
    );
  }

  #choices(thisPc: ThisPc): TemplateResult {
    return html`${chosenWindows({
      thisPc,
      lanes: this.view?.lanes ?? [],
      words: this.words.windows,
      onChange: (windows) => this.#change({ windows }),
    })}
    ${this.#looks(thisPc)}
    ${awakeForm({
      awake: thisPc.choices.awake,
      typed: this.typedAwake,
      words: this.words.awake,
      onType: (typed) => (this.typedAwake = typed),
      onChange: (awake) => this.#change({ awake }),
    })}
    ${this.#app(thisPc)} ${this.#wayOut(thisPc)}`;
  }

  #looks({ choices, canAutostart }: ThisPc): TemplateResult {
    const { looks } = this.words;
    const steps = zooms.includes(choices.zoomPercent)
      ? zooms
      : [...zooms, choices.zoomPercent].toSorted((one, other) => one - other);
    return html`<section class="card stack" aria-labelledby="looks-title">
      <h2 class="heading" id="looks-title">${looks.title}</h2>
      ${checkbox({ id: 'kiosk', label: looks.kiosk, hint: looks.kioskHint, checked: choices.kiosk, onChange: (kiosk) => this.#change({ kiosk }) })}
      <div class="grid">
        ${select({
          id: 'zoom',
          label: looks.zoom,
          value: String(choices.zoomPercent),
          options: steps.map((percent) => ({
            value: String(percent),
            label: formatPercent(this.language, percent / 100, 0),
          })),
          onChange: (percent) => this.#change({ zoomPercent: Number(percent) }),
        })}
        ${select<Language | ''>({
          id: 'app-language',
          label: looks.language,
          value: choices.language ?? '',
          options: [
            { value: '' as const, label: looks.shopLanguage },
            ...languages.map((value) => ({ value, label: languageNames[value] })),
          ],
          onChange: (language) => this.#change({ language: language === '' ? null : language }),
        })}
      </div>
      ${keyboardChoice({ chosen: choices.screenKeyboard, words: looks, onChange: (screenKeyboard) => this.#change({ screenKeyboard }) })}
      ${checkbox({ id: 'sound', label: looks.sound, checked: choices.sound, onChange: (sound) => this.#change({ sound }) })}
      ${checkbox({
        id: 'autostart',
        label: looks.autostart,
        hint: canAutostart ? looks.autostartHint : looks.cannotAutostart,
        checked: choices.autostart,
        disabled: !canAutostart,
        onChange: (autostart) => this.#change({ autostart }),
      })}
    </section>`;
  }

  #app({ app: beside, choices }: ThisPc): TemplateResult {
    const { app } = this.words;
    if (beside === undefined)
      return html`<p class="soft" data-testid="own-updates">${app.ownSettings}</p>`;
    const { version, update, feed } = beside;
    const { what, next } =
      update === null
        ? { what: app.notByItself, next: '' }
        : managerTexts[this.language].health.update[update.code];
    return html`<section class="card stack" aria-labelledby="app-title" data-testid="app-update" data-update=${update?.code ?? 'none'}>
      <h2 class="heading" id="app-title">${app.title}</h2>
      <p class="soft">${app.lead}</p>
      <p>${app.version({ version })}</p>
      ${notice({ kind: update?.state === 'attention' ? 'warning' : 'info', title: update?.version == null ? what : `${what} (${update.version})`, ...(next !== '' && { body: next }) })}
      ${update?.detail == null ? nothing : html`<p class="mono small soft">${this.texts.support}: ${update.detail}</p>`}
      ${feed === null ? nothing : this.#feed(feed, choices)}
    </section>`;
  }

  #feed(
    { address, from, channel, pin }: NonNullable<NonNullable<ThisPc['app']>['feed']>,
    { updateChannel }: ThisPcChoices,
  ): TemplateResult {
    const { app } = this.words;
    return html`<p>${app.feed[from]({ address })}</p>
      ${pin === null ? nothing : html`<p>${app.feed.pinned({ version: pin })}</p>`}
      ${select<NonNullable<ThisPcChoices['updateChannel']> | ''>({
        id: 'update-channel',
        label: app.channel,
        value: updateChannel ?? '',
        disabled: pin !== null,
        options: [
          { value: '' as const, label: app.channels.asNamed({ channel: app.channels[channel] }) },
          ...(['stable', 'beta'] as const).map((value) => ({ value, label: app.channels[value] })),
        ],
        onChange: (chosen) => this.#change({ updateChannel: chosen === '' ? null : chosen }),
      })}`;
  }

  #wayOut({ choices, isKioskLeft }: ThisPc): TemplateResult {
    const { out } = this.words;
    return html`<section class="card stack" aria-labelledby="out-title">
      <h2 class="heading" id="out-title">${out.title}</h2>
      ${!choices.kiosk ? nothing : isKioskLeft ? notice({ kind: 'info', body: out.left }) : html`<p class="soft">${out.leaveHint}</p>`}
      <div class="row">
        ${!choices.kiosk ? nothing : isKioskLeft ? this.#button('enter-kiosk', 'lock', out.enter, () => this.#change({ kiosk: true })) : this.#button('leave-kiosk', 'unlock', out.leave, () => void this.#do(this.ask('leaveKiosk', {})))}
        ${this.#button('quit', 'logout', out.quit, () => (this.asksToQuit = true))}
      </div>
    </section>`;
  }

  #button(
    id: string,
    picture: 'lock' | 'unlock' | 'logout',
    label: string,
    onClick: () => void,
  ): TemplateResult {
    return html`<button data-testid=${id} ?disabled=${this.busy} @click=${onClick}>${icon(picture)} ${label}</button>`;
  }

  #quitDialog(): TemplateResult {
    const { out } = this.words;
    const end = (): void => void (this.asksToQuit = false);
    return dialog({
      language: this.language,
      title: out.quitTitle,
      visible: this.visible,
      onClose: end,
      body: html`<p>${out.quitBody}</p>`,
      actions: html`<button data-testid="keep-running" @click=${end}>${out.keep}</button>
        <button class="danger" data-testid="quit-now" @click=${() => void this.#quit()}>${icon('logout')} ${out.quit}</button>`,
    });
  }

  #change(changed: Partial<ThisPcChoices>): void {
    void this.#do(this.ask('changeThisPc', changed), this.words.saved);
  }

  async #do(answer: Promise<AnswerTo<'changeThisPc'>>, done: string | null = null): Promise<void> {
    this.busy = true;
    const { thisPc } = this;
    const result = await answer;
    this.busy = false;
    this.refused = result.ok ? null : result;
    // A control that was refused shows again what is in use.
    this.thisPc = result.ok ? result.value : thisPc && { ...thisPc };
    if (result.ok) this.typedAwake = null;
    if (result.ok && done !== null) this.#toasts.show({ kind: 'success', text: done });
  }

  async #quit(): Promise<void> {
    this.asksToQuit = false;
    const answer = await this.ask('quitApp', {});
    this.refused = answer.ok ? null : answer;
  }
}
customElements.define('tb-this-pc-page', ThisPcPage);
