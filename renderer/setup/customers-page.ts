import { html, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { View } from '../../preload/contract.ts';
import { maxPictureBytes, pictureNames } from '../../preload/procedures/plain.ts';
import type { CustomersSee, PictureName } from '../../preload/procedures/setup-customer.ts';
import { checkbox } from '../ui/checkbox.ts';
import { field } from '../ui/field.ts';
import { notice } from '../ui/notice.ts';
import { designStyles } from '../ui/styles.ts';
import { type CustomersForm, formOf, formProblems, shopNameProblem } from './customers-form.ts';
import { displaysPart, displaysStyles } from './displays-section.ts';
import { pickFile } from './pick-file.ts';
import { pictureField, pictureFieldStyles } from './picture-field.ts';
import { refusalBody, refusalWords } from './refusal.ts';
import { sendPicture } from './send-picture.ts';
import { StepPage, stepStyles } from './step-page.ts';
import { setupTexts, type SetupTexts } from '../locales/setup.ts';
import { forgetInput } from './unsaved-input.ts';

/** A change of one picture that is not saved yet. */
interface Picture {
  readonly choice: 'keep' | 'sent' | 'remove';
  /** Address of the preview of a picture that was picked on this page; null without one. */
  readonly address: string | null;
  /** Progress of the upload from 0 to 1; null when none is under way. */
  readonly fraction: number | null;
  readonly isBroken: boolean;
}
const untouched: Picture = { choice: 'keep', address: null, fraction: null, isBroken: false };

/** The form field for each field that the daemon names in a refusal. */
const fields: Readonly<Record<string, string>> = {
  'displays.host': 'host',
  'displays.port': 'port',
  logo: 'logo',
  picture: 'picture',
  shopName: 'shopName',
  address: 'address',
  vat: 'vat',
};
const accepted = '.png,.jpg,.jpeg,.webp,.svg,image/png,image/jpeg,image/webp,image/svg+xml';

/**
 * The settings of the customers' screen, an optional page outside the steps. @fires saved with the
 * settings now in use, @fires back
 */
class CustomersPage extends StepPage<CustomersForm> {
  static override styles = [designStyles, stepStyles, pictureFieldStyles, displaysStyles];
  protected readonly step = 'customers';

  /** The settings as the daemon has them stored. */
  @property({ attribute: false }) seen!: CustomersSee;
  /** The view of a lane, for the preview. */
  @property({ attribute: false }) view: View | null = null;
  @state() pictures: Readonly<Record<PictureName, Picture>> = {
    logo: untouched,
    picture: untouched,
  };
  @state() isSaved = false;

  protected filledIn(): CustomersForm {
    return formOf(this.seen);
  }

  private get texts(): SetupTexts['customers'] {
    return setupTexts[this.language].customers;
  }

  protected body(): TemplateResult {
    const { form, problems, texts, language, seen } = this;
    return html`${field({
      id: 'shopName',
      label: texts.shopName,
      hint: texts.shopNameHint,
      value: form.shopName,
      problem: problems['shopName'] ?? null,
      onInput: (shopName) => {
        this.#change({ shopName }, 'shopName');
        const problem = shopNameProblem(shopName, language);
        if (problem !== null) this.problems = { ...this.problems, shopName: problem };
      },
      onEnter: () => void this.#save(),
    })}
      <div class="two">${this.#onReceipts()}</div>
      <div class="two">${pictureNames.map((name) => this.#picture(name))}</div>
      <div class="stack" role="group" aria-labelledby="check-in-title" aria-describedby="check-in-hint">
        <h2 class="heading" id="check-in-title">${texts.checkIn}</h2>
        <p class="field-hint" id="check-in-hint">${texts.checkInHint}</p>
        ${seen.lanes.map((lane) => this.#lane(lane))}
      </div>
      ${displaysPart({ language, seen, form, problems, set: (change, ...mended) => this.#change(change, ...mended), onEnter: () => void this.#save() })}
      ${
        // The ePayment service is told the shop's name with each lane. It has no VAT number.
        seen.merchantVat === null
          ? html`<p class="soft" data-testid="reopens">${this.words.reopens}</p>`
          : nothing
      }
      ${this.isSaved ? html`<div data-testid="saved">${notice({ kind: 'success', body: texts.saved })}</div>` : nothing}`;
  }

  /** The fields that are printed on receipts and closing reports. */
  #onReceipts(): TemplateResult {
    const { form, problems, texts } = this;
    const { merchantVat } = this.seen;
    const onEnter = () => void this.#save();
    return html`${field({
      id: 'address',
      label: texts.address,
      hint: texts.addressHint,
      value: form.address,
      problem: problems['address'] ?? null,
      onInput: (address) => this.#change({ address }, 'address'),
      onEnter,
    })}
    ${field({
      id: 'vat',
      label: texts.vat,
      hint: merchantVat === null ? texts.vatHintNone : texts.vatHint({ vat: merchantVat }),
      value: form.vat,
      problem: problems['vat'] ?? null,
      onInput: (vat) => this.#change({ vat }, 'vat'),
      onEnter,
    })}`;
  }

  #picture(name: PictureName): TemplateResult {
    const { texts, language } = this;
    const { choice, address, fraction } = this.pictures[name];
    const inUse =
      this.seen.pictures[name] && choice === 'keep'
        ? (this.view?.lane?.customer[name] ?? null)
        : null;
    return pictureField({
      id: name,
      ...texts.pictures[name],
      language,
      problem: this.problems[name] ?? (this.#isLost(name) ? texts.unreadable : null),
      shown: address ?? inUse,
      fraction,
      onPick: () => void this.#pick(name),
      onRemove: () => {
        this.#setPicture(name, { ...untouched, choice: 'remove' });
        // The remove button disappears together with the picture, so the focus moves to the button
        // that picks another.
        this.renderRoot.querySelector<HTMLElement>(`#${name}`)?.focus();
      },
      onBroken: () => {
        this.#setPicture(name, { isBroken: true });
        this.problems = { ...this.problems, [name]: texts.unreadable };
      },
    });
  }

  /** Whether the settings name a picture whose file is missing. */
  #isLost(name: PictureName): boolean {
    const { choice, address } = this.pictures[name];
    return (
      this.seen.pictures[name] &&
      choice === 'keep' &&
      address === null &&
      this.view?.lane != null &&
      this.view.lane.customer[name] === null
    );
  }

  #lane({ laneId, name, cannot }: CustomersSee['lanes'][number]): TemplateResult {
    const { checkInFirst } = this.form;
    return checkbox({
      id: `check-in-${laneId}`,
      label: name,
      ...(cannot !== null && { hint: this.texts.cannot[cannot], disabled: true }),
      checked: checkInFirst.includes(laneId),
      onChange: (checked) =>
        this.#change({
          checkInFirst: checked
            ? [...checkInFirst, laneId]
            : checkInFirst.filter((id) => id !== laneId),
        }),
    });
  }

  protected foot() {
    const isReady = pictureNames.every((name) => this.pictures[name].fraction === null);
    return {
      next: this.texts.save,
      glyph: 'tick' as const,
      isReady,
      onNext: () => void this.#save(),
    };
  }

  #change(change: Partial<CustomersForm>, ...mended: string[]): void {
    this.isSaved = false;
    this.set(change, ...mended);
  }

  #setPicture(name: PictureName, change: Partial<Picture>): void {
    this.pictures = { ...this.pictures, [name]: { ...this.pictures[name], ...change } };
    this.#change({}, name);
  }

  /** A file that is refused leaves the picture as it was. */
  async #pick(name: PictureName): Promise<void> {
    if (this.pictures[name].fraction !== null) return;
    const file = await pickFile(accepted);
    if (file === null) return;
    const { choice, address } = this.pictures[name];
    this.#setPicture(name, { fraction: 0 });
    const tooLarge =
      file.size > maxPictureBytes
        ? refusalWords(this.language, {
            code: 'tooLarge',
            ok: false,
            field: null,
            message: '',
            facts: {},
          })
        : null;
    const sent =
      tooLarge === null
        ? await sendPicture(this.bridge, name, file, (fraction) =>
            this.#setPicture(name, { fraction }),
          )
        : null;
    if (sent?.ok === true)
      return this.#setPicture(name, {
        choice: 'sent',
        address: sent.address,
        fraction: null,
        isBroken: false,
      });
    // The daemon discards an earlier upload with the first part of the next.
    const kept: Partial<Picture> =
      choice === 'sent' && sent !== null ? untouched : { choice, address };
    this.#setPicture(name, { ...kept, fraction: null });
    const words =
      tooLarge ??
      (sent?.refused == null ? this.texts.unreadable : refusalWords(this.language, sent.refused));
    this.problems = { ...this.problems, [name]: words };
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector(`#${name}-problem`)?.scrollIntoView({ block: 'nearest' }),
    );
  }

  async #save(): Promise<void> {
    const { form, pictures, texts } = this;
    if (this.busy || !this.foot().isReady) return;
    const broken = pictureNames.filter(
      (name) => pictures[name].choice === 'sent' && pictures[name].isBroken,
    );
    if (
      !this.check({
        ...formProblems(form, this.language),
        ...Object.fromEntries(broken.map((name) => [name, texts.unreadable])),
      })
    )
      return;
    this.busy = true;
    this.refused = null;
    const answer = await this.bridge.ask('changeCustomersSee', {
      shopName: form.shopName.trim() === '' ? null : form.shopName,
      address: form.address.trim() === '' ? null : form.address,
      vat: form.vat.trim() === '' ? null : form.vat,
      logo: pictures.logo.choice,
      picture: pictures.picture.choice,
      lanes: this.seen.lanes
        .filter(({ cannot }) => cannot === null)
        .map(({ laneId }) => ({ laneId, checkInFirst: form.checkInFirst.includes(laneId) })),
      displays: form.hasDisplays ? { host: form.host, port: Number(form.port) } : null,
    });
    this.busy = false;
    if (answer.ok) return this.#saved(answer.value);
    const words = refusalWords(this.language, answer);
    const id = fields[answer.field ?? ''];
    if (id === undefined) this.refused = refusalBody(this.language, answer);
    else this.check({ [id]: words });
  }

  /**
   * The page stays open after saving, because it shows the address to type into the other device.
   */
  #saved(seen: CustomersSee): void {
    this.seen = seen;
    this.form = formOf(seen);
    forgetInput(this.step);
    const settled = (picture: Picture): Picture => ({ ...picture, choice: 'keep' });
    this.pictures = { logo: settled(this.pictures.logo), picture: settled(this.pictures.picture) };
    this.isSaved = true;
    this.dispatchEvent(new CustomEvent<CustomersSee>('saved', { detail: seen }));
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector('[data-testid="saved"]')?.scrollIntoView({ block: 'nearest' }),
    );
  }
}
customElements.define('tb-setup-customers', CustomersPage);
