import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import {
  MerchantBrandId,
  MerchantLocationId,
  MerchantVat,
  merchantVatIn,
  type Store,
} from '../../preload/procedures/setup-fields.ts';
import { choice } from '../ui/choice.ts';
import { field } from '../ui/field.ts';
import { icon } from '../ui/icons.ts';
import { progress } from '../ui/progress.ts';
import { designStyles } from '../ui/styles.ts';
import { StepPage, stepStyles } from './step-page.ts';

interface Form {
  merchantVat: string;
  by: 'vat' | 'location';
  brandId: string;
  locationId: string;
  storeId: string | null;
  filter: string;
}

/** A search field is shown for more stores than this. */
const fewStores = 6;

/**
 * The merchant and the store, which the service finds and the installer picks by name and address.
 */
class StoreStep extends StepPage<Form> {
  static override styles = [designStyles, stepStyles];
  protected readonly step = 'store';
  /** The stores that were found; null until searched. */
  @state() stores: readonly Store[] | null = null;
  #lookedFor = '';

  protected filledIn(): Form {
    const kept = this.draft?.store ?? null;
    return {
      merchantVat: kept?.merchantVat ?? '',
      by: 'vat',
      brandId: '',
      locationId: '',
      storeId: kept?.store.storeId ?? null,
      filter: '',
    };
  }

  protected override firstUpdated(): void {
    super.firstUpdated();
    void this.#lookWhenWhole();
  }

  protected body(): TemplateResult {
    const { store } = this.words;
    return html`${field({
      id: 'merchantVat',
      label: store.merchantVat,
      hint: store.vatHint,
      value: this.form.merchantVat,
      problem: this.problems['merchantVat'] ?? null,
      lead: 'bank',
      onInput: (text) => this.#typed({ merchantVat: text }, 'merchantVat'),
      onEnter: () => void this.#next(),
    })}
    ${choice({
      id: 'store-by',
      legend: store.by,
      value: this.form.by,
      options: [
        { value: 'vat', title: store.byVat, note: store.byVatNote },
        { value: 'location', title: store.byLocation, note: store.byLocationNote },
      ],
      onChange: (by) => this.#typed({ by }, 'brandId', 'locationId', 'store'),
    })}
    ${this.form.by === 'location' ? html`<div class="two">${this.#id('brandId', store.brandHint)} ${this.#id('locationId', store.locationHint)}</div>` : nothing}
    ${this.busy && this.stores === null ? progress({ language: this.language, label: store.looking, fraction: null }) : nothing}
    ${this.stores === null || this.stores.length === 0 ? nothing : this.#found(this.stores)}`;
  }

  #id(id: 'brandId' | 'locationId', hint: string): TemplateResult {
    return field({
      id,
      label: this.words.store[id],
      hint,
      value: this.form[id],
      problem: this.problems[id] ?? null,
      onInput: (text) => this.#typed({ [id]: text }, id),
      onEnter: () => void this.#next(),
    });
  }

  #found(stores: readonly Store[]): TemplateResult {
    const { store } = this.words;
    const query = this.form.filter.trim().toLocaleLowerCase();
    const shown = stores.filter(
      (one) =>
        one.storeId === this.form.storeId ||
        `${one.name} ${addressOf(one)} ${one.brandName}`.toLocaleLowerCase().includes(query),
    );
    return html`${
      stores.length > fewStores
        ? field({
            id: 'store-filter',
            label: store.filter({ stores: stores.length }),
            type: 'search',
            lead: 'search',
            value: this.form.filter,
            onInput: (filter) => this.set({ filter }),
          })
        : nothing
    }
    ${choice({
      id: 'store',
      legend: store.pick,
      value: this.form.storeId,
      problem: this.problems['store'] ?? null,
      options: shown.map((one) => ({
        value: one.storeId,
        title: one.name ?? store.noName,
        note: [addressOf(one), one.brandName].filter(Boolean).join(' · '),
        picture: icon('store'),
      })),
      onChange: (storeId) => this.set({ storeId }, 'store'),
    })}`;
  }

  protected foot() {
    return {
      next:
        this.stores === null || this.stores.length === 0 ? this.words.store.look : this.words.next,
      onNext: () => void this.#next(),
    };
  }

  /**
   * The stores belong to the typed number: a change discards them, and a complete number is
   * searched for again.
   */
  #typed(change: Partial<Form>, ...mended: string[]): void {
    this.set(change, ...mended);
    this.stores = null;
    void this.#lookWhenWhole();
  }

  get #merchantVat(): string {
    return merchantVatIn(this.form.merchantVat, this.draft?.language ?? this.language);
  }

  get #query(): {
    merchantVat: string;
    at: { merchantBrandId: string; merchantLocationId: string } | null;
  } | null {
    const { by, brandId, locationId } = this.form;
    const merchantVat = this.#merchantVat;
    const at = { merchantBrandId: brandId.trim(), merchantLocationId: locationId.trim() };
    if (!MerchantVat.safeParse(merchantVat).success) return null;
    if (by === 'vat') return { merchantVat, at: null };
    return MerchantBrandId.safeParse(brandId).success &&
      MerchantLocationId.safeParse(locationId).success
      ? { merchantVat, at }
      : null;
  }

  async #lookWhenWhole(): Promise<void> {
    const query = this.#query;
    this.#lookedFor = JSON.stringify(query);
    if (query === null) return;
    const lookedFor = this.#lookedFor;
    const answer = await this.asking('findStores', query);
    // The number was changed while the service answered.
    if (answer === null || lookedFor !== this.#lookedFor) return;
    const { stores } = answer;
    this.stores = stores;
    // The completed number is written back into the field, so that the installer sees it.
    this.set({ merchantVat: query.merchantVat });
    const { store } = this.words;
    if (stores.length === 0)
      this.problems =
        query.at === null ? { merchantVat: store.noneOfVat } : { locationId: store.noneThere };
    else if (!stores.some(({ storeId }) => storeId === this.form.storeId))
      this.set({ storeId: stores.length === 1 ? (stores[0]?.storeId ?? null) : null });
  }

  async #next(): Promise<void> {
    const { store } = this.words;
    const { form } = this;
    const isLocation = form.by === 'location';
    const isRight = this.check({
      merchantVat: MerchantVat.safeParse(this.#merchantVat).success ? null : store.vatRule,
      brandId:
        !isLocation || MerchantBrandId.safeParse(form.brandId).success ? null : store.brandRule,
      locationId:
        !isLocation || MerchantLocationId.safeParse(form.locationId).success
          ? null
          : store.locationRule,
    });
    if (!isRight || this.busy) return;
    if (this.stores === null || this.stores.length === 0) return this.#lookWhenWhole();
    const chosen = this.stores.find(({ storeId }) => storeId === form.storeId);
    if (chosen === undefined && this.focusOn('store')) return;
    if (!this.check({ store: chosen === undefined ? store.pickOne : null }) || chosen === undefined)
      return;
    await this.save(
      { step: 'store', value: { merchantVat: this.#merchantVat, store: chosen } },
      { merchantVat: 'merchantVat' },
    );
  }
}
customElements.define('tb-store-step', StoreStep);

function addressOf({ street, zipCode, city }: Store): string {
  return [street, [zipCode, city].filter(Boolean).join(' ')].filter(Boolean).join(', ');
}
