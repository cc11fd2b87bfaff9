import { html, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { state } from 'lit/decorators.js';
import type { Bridge } from '../../preload/contract.ts';
import { everyAnswer } from '../../preload/described/answers.ts';
import type { InputOf } from '../../preload/procedures.ts';
import { icon, type IconName } from '../ui/icons.ts';
import { narrowScreen, sideNav } from '../ui/nav.ts';
import { designStyles } from '../ui/styles.ts';
import type { Answers } from '../bridge.ts';
import { defineScreen, Screen } from '../screen.ts';
import {
  bannerList,
  bannerStyles,
  computerBanners,
  damageBanner,
  reservationsBanner,
  unsettledDetails,
} from '../banners.ts';
import { passingOn, PassOnInHistory } from './people/pass-on.ts';
import { Idle } from './people/idle.ts';
import { isInTheMiddle } from '../newer-version.ts';
import { pagePart } from '../page-part.ts';
import type { ManagerPage } from './page.ts';
import './restored/restored.ts';
import './people/sign-in.ts';
import type { SignedIn } from './people/sign-in.ts';
import styles from './manager.css?inline';
import { frameTexts } from '../locales/frame.ts';

const pages = {
  refunds: {
    tag: 'tb-refunds-page',
    icon: 'refund',
    load: () => import('./refunds/refunds-page.ts'),
  },
  reservations: {
    tag: 'tb-reservations-page',
    icon: 'lock',
    load: () => import('./reservations/reservations-page.ts'),
  },
  day: { tag: 'tb-day-page', icon: 'calendar', load: () => import('./day/day-page.ts') },
  reconciliation: {
    tag: 'tb-reconciliation-page',
    icon: 'bank',
    load: () => import('./reconciliation/reconciliation-page.ts'),
  },
  health: { tag: 'tb-health-page', icon: 'health', load: () => import('./health/health-page.ts') },
  people: { tag: 'tb-people-page', icon: 'users', load: () => import('./people/people-page.ts') },
  thisPc: {
    tag: 'tb-this-pc-page',
    icon: 'network',
    load: () => import('./this-pc/this-pc-page.ts'),
  },
} as const satisfies Record<string, { tag: string; icon: IconName; load: () => Promise<unknown> }>;
type PageId = keyof typeof pages;

/** No PIN has so many digits. */
const longerThanPins = 9;
const pageIds = Object.keys(pages) as PageId[];

/**
 * The frame of the manager's pages: navigation, who is signed in, and the banners that every page
 * shows.
 */
class ManagerScreen extends Screen {
  static override styles = [designStyles, bannerStyles, unsafeCSS(styles)];

  protected readonly screenName = 'manager';
  @state() page: PageId = pageOf(location.hash);
  /**
   * null when nobody is signed in; the pages of the last manager are kept, covered by the sign-in.
   */
  @state() who: SignedIn | null = null;
  #whoWas: SignedIn | null = null;
  readonly #media = matchMedia(narrowScreen);
  @state() isNarrow = this.#media.matches;
  readonly #opened = new Map<PageId, ManagerPage>();
  /** The page that was told that it is visible. */
  #shown: ManagerPage | null = null;
  readonly #idle = new Idle(this, {
    onIdle: () => void this.#signOut(true),
    onActive: () => void this.#askFor.ask('stillHere', {}),
  });

  /** The bridge of the pages. A refusal `pinNeeded` is handled here for all of them. */
  readonly #askFor: Pick<Bridge, 'ask'> = {
    ask: async (name, asked) => {
      const answer = await this.bridge.ask(name, asked);
      if (!answer.ok && answer.code === 'pinNeeded') this.#cover();
      if (
        answer.ok &&
        name === 'changePin' &&
        this.who !== null &&
        (asked as InputOf<'changePin'>).managerId === this.who.managerId
      )
        this.who = { ...this.who, hasWeakPin: false };
      return answer;
    },
  };
  readonly #onMedia = (): void => {
    this.isNarrow = this.#media.matches;
  };
  readonly #onHash = (): void => {
    const before = this.page;
    this.page = pageOf(location.hash);
    // The rest of the address, which the page reads, may have changed.
    if (this.page === before) this.#shown?.opened();
  };

  constructor() {
    super();
    new PassOnInHistory(this, this.bridge, () => this.who !== null);
    this.guardFromScans({
      judging: (path) => {
        const isPin =
          this.who === null &&
          path.some((at) => at instanceof HTMLElement && at.localName === 'tb-pin-pad');
        if (isPin) return { mode: 'whole', minScanLength: longerThanPins };
        return { mode: this.#shown?.guardsFields === true ? 'whole' : 'none' };
      },
      scanned: (text) => this.#shown?.scanned(text),
    });
  }

  protected override get answers(): Answers {
    return everyAnswer;
  }

  /** Covered pages count too, because they keep what was typed. */
  protected override holdsInput(): boolean {
    return [this, ...this.#opened.values()].some(isInTheMiddle);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // A sign-in is valid for one connection.
    this.bridge.onConnection((connected) => {
      if (!connected) this.#cover();
    });
    window.addEventListener('hashchange', this.#onHash);
    this.#media.addEventListener('change', this.#onMedia);
  }

  override disconnectedCallback(): void {
    this.#media.removeEventListener('change', this.#onMedia);
    window.removeEventListener('hashchange', this.#onHash);
    super.disconnectedCallback();
  }

  override willUpdate(): void {
    super.willUpdate();
    document.title = `${frameTexts[this.language].page[this.page]} – Tillbeacon`;
    if (this.#hasPages && !this.#opened.has(this.page)) this.#open(this.page);
    for (const [id, page] of this.#opened) {
      page.bridge = this.#askFor;
      page.language = this.language;
      page.view = this.view;
      page.hidden = id !== this.page;
      page.visible = this.#hasPages && !page.hidden;
    }
  }

  #open(id: PageId): void {
    const { tag, load } = pages[id];
    if (customElements.get(tag) !== undefined)
      this.#opened.set(id, document.createElement(tag) as ManagerPage);
    else void pagePart(load).then(() => this.requestUpdate());
  }

  /**
   * Whether the pages are shown. A hidden one must not listen to keys: that of refunds would take a
   * scan that is meant for another field.
   */
  get #hasPages(): boolean {
    return this.who !== null && this.view?.restored === undefined;
  }

  protected override updated(): void {
    const visible = this.#hasPages ? (this.#opened.get(this.page) ?? null) : null;
    if (visible === this.#shown) return;
    this.#shown?.left();
    this.#shown = visible;
    visible?.opened();
  }

  protected override render(): TemplateResult {
    const texts = frameTexts[this.language];
    return html`<div class="frame" data-state=${!this.connected ? 'disconnected' : this.who === null ? 'signIn' : this.page}>
      <header class="bar">${this.brand()}${this.isNarrow && !this.#isCovered ? this.#nav() : html`<span class="where">${texts.title}</span>`}<span class="grow"></span>${this.#toCashier()}${this.languageButton()}</header>
      <main>
        ${this.#coverOver()}
        <div class="app" ?hidden=${this.#isCovered}>
          ${this.isNarrow ? nothing : this.#nav()}
          <div class="pages">${this.#isCovered ? nothing : (this.#restored() ?? [...this.#opened.values()])}</div>
        </div>
      </main>
      <footer>${this.#banners()}${this.serviceNote()}</footer>
    </div>`;
  }

  #nav(): TemplateResult {
    const { page, pages: label } = frameTexts[this.language];
    return sideNav({
      label,
      items: this.#pageIds.map((id) => ({ id, title: page[id], icon: pages[id].icon })),
      current: this.page,
      onSelect: (id) => (location.hash = id),
      foot: this.#foot(),
    });
  }

  get #pageIds(): PageId[] {
    return pageIds.filter((id) => this.page === id || this.#isOffered(id));
  }

  /**
   * The page of reservations is offered only when there are or may be some, and that of this
   * computer only in the app's windows.
   */
  #isOffered(id: PageId): boolean {
    if (id === 'thisPc') return window.tillbeacon !== undefined;
    return id !== 'reservations' || this.view?.reservations?.isUsed === true;
  }

  #banners(): TemplateResult {
    const { lane = null, elsewhere = [], reservations } = this.view ?? {};
    return bannerList(this.language, [
      ...(this.who?.hasWeakPin === true ? [this.#weakPin()] : []),
      ...(lane?.journalDamage ? [damageBanner(this.language, lane.journalDamage)] : []),
      ...(lane?.computer ? computerBanners(this.language, lane.computer) : []),
      ...(reservations?.ending ? [reservationsBanner(this.language, reservations.ending)] : []),
      ...(lane?.unsettled ?? []).map((money) => unsettledDetails(this.language, money)),
      ...elsewhere.map((money) =>
        unsettledDetails(
          this.language,
          money,
          frameTexts[this.language].atLane({ name: money.laneName }),
        ),
      ),
    ]);
  }

  #weakPin(): TemplateResult {
    return html`<div class="banner" role="status" data-testid="weak-pin">${icon('key')}<span>${frameTexts[this.language].weakPin}</span></div>`;
  }

  /**
   * Whether the pages are removed from the document. Hidden ones with an open dialog would still
   * take the keyboard. They keep their state.
   */
  get #isCovered(): boolean {
    return this.who === null || !this.connected;
  }

  #coverOver(): TemplateResult | typeof nothing {
    if (!this.connected) {
      const { what, next } = this.texts.disconnected;
      return html`<div class="cover lost" role="alert">${icon('offline')}<h1 class="title">${what}</h1><p class="lead">${next}</p></div>`;
    }
    if (this.who !== null) return nothing;
    return html`<div class="cover">
      <tb-sign-in
        .bridge=${this.bridge}
        .language=${this.language}
        .wasSignedOut=${this.#whoWas !== null}
        @signed-in=${({ detail }: CustomEvent<SignedIn>) => this.#enter(detail)}
      ></tb-sign-in>
    </div>`;
  }

  /** Shown instead of every page until a manager has confirmed the restore. */
  #restored(): TemplateResult | null {
    if (this.view?.restored === undefined) return null;
    return html`<tb-restored .bridge=${this.#askFor} .language=${this.language} .restored=${this.view.restored}></tb-restored>`;
  }

  #toCashier(): TemplateResult {
    const laneId = this.view?.lane?.laneId;
    const search = new URLSearchParams({
      ...(laneId === undefined ? {} : { lane: laneId }),
      lang: this.language,
    });
    const { toCashier } = frameTexts[this.language];
    return html`<a class="button quiet" data-testid="to-cashier" title=${toCashier} href="../cashier/index.html?${search.toString()}">${icon('till')} <span>${toCashier}</span></a>`;
  }

  #foot(): TemplateResult {
    const { signedInAs, signOut } = frameTexts[this.language];
    return html`<div class="foot">
      <a class="button quiet" data-testid="to-setup" href="../setup/index.html?lang=${this.language}" @click=${passingOn(this.bridge)}>${icon('settings')} ${this.texts.home.setup}</a>
      <span class="who">${icon('user')} <span data-testid="signed-in">${signedInAs({ name: this.who?.name ?? '' })}</span></span>
      <button class="quiet" data-testid="sign-out" @click=${() => void this.#signOut(false)}>${icon('logout')} ${signOut}</button>
    </div>`;
  }

  #enter(who: SignedIn): void {
    // Another manager must not see the pages that the last one had open.
    if (this.#whoWas?.managerId !== who.managerId) this.#opened.clear();
    this.#whoWas = who;
    this.who = who;
    this.#idle.watch(who.signsOutAfterMs);
  }

  #cover(): void {
    for (const page of this.#opened.values()) page.covered();
    this.#idle.stop();
    this.who = null;
  }

  /** @param keep the pages as they are, for the same manager */
  async #signOut(keep: boolean): Promise<void> {
    // The daemon comes first: otherwise the sign-in that is shown next would find the session still
    // open.
    await this.bridge.ask('signOut', {});
    this.#cover();
    if (keep) return;
    this.#opened.clear();
    this.#whoWas = null;
  }
}
void defineScreen(
  'tb-manager',
  ManagerScreen,
  'manager',
  Object.values(pages).map(({ load }) => load),
);

/** The first part of `#refunds/…`; the rest is for the page. */
function pageOf(hash: string): PageId {
  const id = hash.slice(1).split('/')[0];
  return pageIds.find((one) => one === id) ?? 'refunds';
}
