/** The pages of setup outside its steps, each below the screen's notices. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Bridge, View } from '../../preload/contract.ts';
import type { OutputOf } from '../../preload/procedures.ts';
import type { CustomersSee } from '../../preload/procedures/setup-customer.ts';
import type { CustomerWays } from '../../preload/procedures/setup-ways.ts';
import { frameTexts } from '../locales/frame.ts';
import type { Language } from '../locales/i18n.ts';
import { notice } from '../ui/notice.ts';
import { fileNotice, missingNotice } from './file-notice.ts';
import type { Finished, SetupState } from './step-order.ts';
import { hasTestPhones, testsBeacon, walletName } from './wallet-name.ts';

/**
 * The parts, each loaded when it is first shown. The manager's step is shared with the manager's
 * screen.
 */
export const parts = {
  language: () => import('./language-step.ts'),
  restore: () => import('./restore-backup.ts'),
  wallet: () => import('./wallet-step.ts'),
  store: () => import('./store-step.ts'),
  pointOfSale: () => import('./point-of-sale-step.ts'),
  till: () => import('./till-step.ts'),
  test: () => import('./test-step.ts'),
  finish: () => import('./finish-step.ts'),
  done: () => import('./done-page.ts'),
  overview: () => import('./overview.ts'),
  customers: () => import('./customers-page.ts'),
  ways: () => import('./ways-page.ts'),
  paymentTest: () => import('./payment-test-page.ts'),
  checkInTest: () => import('./check-in-test-page.ts'),
} as const satisfies Record<string, () => Promise<unknown>>;

/** What every page is given. */
export interface SetupPage<Asking extends Pick<Bridge, 'ask'> = Bridge> {
  readonly bridge: Asking;
  readonly language: Language;
  readonly view: View | null;
  readonly setup: SetupState;
  readonly notices: TemplateResult;
}

interface Notices {
  readonly file: SetupState['file'];
  readonly missing: OutputOf<'importLane'>['missing'];
  /** A message about what was just done; null without one. */
  readonly told: string | null;
  readonly problem: string | TemplateResult | null;
  readonly onMissingRead: () => void;
  readonly onToldRead: () => void;
}

/** What the screen says above its pages. */
export function noticesOf(
  language: Language,
  { file, missing, told, problem, onMissingRead, onToldRead }: Notices,
): TemplateResult {
  const { dismiss } = frameTexts[language].setup.imported;
  return html`${fileNotice(language, file)} ${missingNotice(language, missing, onMissingRead)}
  ${told === null ? nothing : html`<div class="told" data-testid="told">${notice({ kind: 'success', body: told, onDismiss: onToldRead, dismissLabel: dismiss })}</div>`}
  ${problem === null ? nothing : html`<div class="told" data-testid="problem">${notice({ kind: 'error', body: problem })}</div>`}`;
}

const laneOf = ({ setup }: Pick<SetupPage, 'setup'>, laneId: string) =>
  setup.inUse?.lanes.find((one) => one.laneId === laneId);

export function doneOf(
  page: SetupPage,
  finished: Finished,
  to: Readonly<Record<'overview' | 'test' | 'checkIn' | 'customers' | 'ways', () => void>>,
): TemplateResult | typeof nothing {
  const { bridge, language, view, setup, notices } = page;
  const wallet = setup.inUse?.wallet;
  const lane = laneOf(page, finished.laneId);
  if (lane === undefined) return nothing;
  return html`<div class="page-column">
    ${notices}
    <tb-setup-done
      .bridge=${bridge}
      .language=${language}
      .lane=${lane}
      .finished=${finished}
      .starts=${setup.starts}
      .host=${walletName(wallet)?.host ?? null}
      .hasWays=${wallet?.kind === 'epayment'}
      .testsBeacon=${testsBeacon(lane, wallet)}
      .view=${view}
      @overview=${to.overview}
      @test=${to.test}
      @check-in=${to.checkIn}
      @customers=${to.customers}
      @ways=${to.ways}
    ></tb-setup-done>
  </div>`;
}

/** The events of a page on which something is changed. */
interface ChangeEvents<Saved> {
  readonly saved: (saved: Saved) => void;
  readonly back: () => void;
}

export function customersOf(
  { bridge, language, view, notices }: SetupPage<Pick<Bridge, 'ask'>>,
  seen: CustomersSee,
  on: ChangeEvents<CustomersSee>,
): TemplateResult {
  return html`<div class="page-column narrow">
    ${notices}
    <tb-setup-customers
      .bridge=${bridge}
      .language=${language}
      .view=${view}
      .seen=${seen}
      @saved=${({ detail }: CustomEvent<CustomersSee>) => on.saved(detail)}
      @back=${on.back}
    ></tb-setup-customers>
  </div>`;
}

export function waysOf(
  { bridge, language, setup, notices }: SetupPage,
  kept: CustomerWays,
  on: ChangeEvents<CustomerWays>,
): TemplateResult {
  return html`<div class="page-column narrow">
    ${notices}
    <tb-setup-ways
      .bridge=${bridge}
      .language=${language}
      .kept=${kept}
      .lanes=${setup.inUse?.lanes ?? []}
      @saved=${({ detail }: CustomEvent<CustomerWays>) => on.saved(detail)}
      @back=${on.back}
    ></tb-setup-ways>
  </div>`;
}

export function paymentTestOf(
  page: SetupPage,
  laneId: string,
  onBack: () => void,
): TemplateResult | typeof nothing {
  const { bridge, language, view, setup, notices } = page;
  const lane = laneOf(page, laneId);
  if (lane === undefined || setup.inUse === null || setup.inUse.wallet.kind === 'simulator')
    return nothing;
  return html`<div class="page-column narrow">
    ${notices}
    <tb-payment-test
      .bridge=${bridge}
      .language=${language}
      .laneId=${laneId}
      .laneName=${lane.name}
      .isTest=${walletName(setup.inUse.wallet)?.isTest === true}
      .hasPhones=${setup.inUse.wallet.kind === 'service'}
      .view=${view}
      @back=${onBack}
    ></tb-payment-test>
  </div>`;
}

export function checkInTestOf(
  page: SetupPage,
  laneId: string,
  onBack: () => void,
): TemplateResult | typeof nothing {
  const { bridge, language, setup, notices } = page;
  const lane = laneOf(page, laneId);
  if (lane === undefined || setup.inUse === null) return nothing;
  return html`<div class="page-column narrow">
    ${notices}
    <tb-check-in-test
      .bridge=${bridge}
      .language=${language}
      .laneId=${laneId}
      .laneName=${lane.name}
      .beacons=${lane.beacons}
      .hasPhones=${hasTestPhones(setup.inUse.wallet)}
      @back=${onBack}
    ></tb-check-in-test>
  </div>`;
}
