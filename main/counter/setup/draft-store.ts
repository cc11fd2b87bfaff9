import { Refusal } from '../../../preload/procedures/procedure.ts';
import type { Draft as DraftShown } from '../../../preload/procedures/setup.ts';
import type {
  SalesUnitInput,
  ServiceInput,
  TestedWith,
  TillInput,
  WalletInput,
} from '../../../preload/procedures/setup-fields.ts';
import { isSamePort } from '../devices/serial-ports.ts';
import type { Clock } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';
import type { PreparedToken } from '../../tills/http/tokens.ts';
import type { ApiSettings, LaneSettings, Settings } from '../settings/schema.ts';
import type { Secret } from '../../support/settings/secrets.ts';
import { lookUpSecret, sealedSecret } from '../../support/settings/secrets.ts';
import {
  type Draft,
  draftOf,
  emptyDraft,
  isWhole,
  type DraftSalesUnit,
  type DraftService,
  draftWallet,
  type DraftWallet,
  laneOf,
  nextStep,
  draftView,
  type StepAnswer,
  type WholeDraft,
  withStep,
} from './draft.ts';
import { readDraft, writeDraft } from './draft-file.ts';
import { mapDraftSecrets, tillWith, walletWith } from './draft-secrets.ts';
import type { SetupHost } from './setup-host.ts';
import type { TestedLanes } from './tested-lanes.ts';
import { apiSettings, draftTillFrom, type DraftTill, lacksPassphrase } from './draft-till.ts';
import { messageOf } from '../../core/domain/errors.ts';

interface DraftStoreOptions {
  readonly path: string;
  readonly host: Pick<SetupHost, 'settings' | 'secrets'>;
  readonly testedLanes: Pick<TestedLanes, 'testedWith'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** The one draft of this counter, on disk at each step. */
export class DraftStore {
  readonly #options: DraftStoreOptions;
  #draft: Draft | null;
  /** The credentials that passed the test last. */
  #proven: { readonly service: string; readonly atMs: number } | null = null;

  constructor(options: DraftStoreOptions) {
    this.#options = options;
    this.#draft = this.#read();
  }

  get draft(): Draft | null {
    return this.#draft;
  }

  /** @throws Refusal incomplete */
  whole(): WholeDraft {
    const draft = this.#draft ?? emptyDraft;
    if (!isWhole(draft)) throw incomplete(nextStep(draft));
    return draft;
  }

  /** The lane that is being set up, as far as a till needs it. @throws Refusal incomplete */
  laneToTry(): LaneSettings {
    const { laneId, wallet, store, pointOfSale, till } = this.#draft ?? emptyDraft;
    if (wallet === null) throw incomplete('wallet');
    if (store === null && wallet.kind !== 'epayment') throw incomplete('store');
    const others = this.#options.host.settings()?.lanes.filter(({ id }) => id !== laneId) ?? [];
    if (pointOfSale === null) throw incomplete('pointOfSale');
    if (till === null || lacksPassphrase(till)) throw incomplete('till');
    return laneOf(
      { laneId, wallet, store, pointOfSale, till },
      others.map(({ id }) => id),
    );
  }

  /** Where the till to try sends its requests; null when it is no program. */
  apiToTry(): ApiSettings | null {
    const till = this.#draft?.till ?? null;
    return till?.transport === 'http'
      ? apiSettings(till, this.#options.host.settings()?.api)
      : null;
  }

  /** Replaces an earlier one. @throws Refusal incomplete */
  keepToken(tillToken: PreparedToken): void {
    if (this.#draft === null) throw incomplete('pointOfSale');
    this.keep({ ...this.#draft, tillToken });
  }

  begin(laneId: string | null): DraftShown {
    const settings = this.#options.host.settings();
    if (laneId !== null && settings?.lanes.some(({ id }) => id === laneId) !== true)
      throw new Refusal('notFound', `there is no lane ${laneId}`);
    if (settings === null) return this.keep(emptyDraft);
    const tested = laneId === null ? null : this.#options.testedLanes.testedWith(laneId, settings);
    return this.keep({ ...draftOf(settings, laneId), tested });
  }

  keep(draft: Draft): DraftShown {
    const kept = this.#sealedWherePossible(draft);
    writeDraft(this.#options.path, kept);
    this.#draft = kept;
    return draftView(kept);
  }

  /** The draft was put in use or discarded. */
  forget(): void {
    writeDraft(this.#options.path, null);
    this.#draft = null;
  }

  /** Begins a draft if there is none. @throws Refusal */
  save(answer: StepAnswer): DraftShown {
    const settings = this.#options.host.settings();
    const draft = withStep(
      this.#draft ?? (settings === null ? emptyDraft : draftOf(settings, null)),
      answer,
    );
    checkOthers(draft, settings);
    return this.keep(draft);
  }

  /** The shop's own till proves all that the built-in one does, and its line. */
  tested(by: TestedWith): void {
    if (this.#draft === null) return;
    const tested = this.#draft.tested === 'till' ? 'till' : by;
    this.keep({ ...this.#draft, tested, unheard: this.#draft.unheard && tested !== 'till' });
  }

  proven(asked: Credentials): void {
    this.#proven = { service: credentialsOf(asked), atMs: this.#options.clock.wallMs() };
    const wallet = this.#draft?.wallet ?? null;
    if (this.#draft !== null && wallet !== null && wallet.kind !== 'simulator')
      this.keep({ ...this.#draft, wallet: this.#withProof(wallet) });
  }

  /**
   * The wallet with the secrets that the daemon has already, sealed where there is a safe. @throws
   * Refusal secretMissing; SettingsError when the safe refuses
   */
  wallet(asked: WalletInput): DraftWallet {
    if (asked.kind === 'simulator') return asked;
    if (asked.kind === 'epayment') {
      const keys = this.keys(asked);
      const { secondSubscriptionKey = null, code = 'picture' } = this.#knownUnit(asked) ?? {};
      return walletWith(
        this.#withProof({ ...asked, ...keys, secondSubscriptionKey, code, provenAtMs: null }),
        this.#sealed,
      );
    }
    const clientSecret = this.secret(asked);
    const reportingKey = asked.reportingKey ?? reportingKeyFor(asked, this.#known(asked));
    return walletWith(
      this.#withProof({ ...asked, clientSecret, reportingKey, provenAtMs: null }),
      this.#sealed,
    );
  }

  /**
   * The till with the password or passphrase that the daemon has already; one that was entered is
   * sealed as the wallet's secrets are. @throws SettingsError
   */
  till(asked: TillInput): DraftTill {
    const entered = asked.transport === 'http' ? asked.nexo?.key?.passphrase : asked.password;
    return tillWith(draftTillFrom(asked, this.#draft?.till ?? null), (secret, path) =>
      secret === entered ? this.#sealed(secret, path) : secret,
    );
  }

  /** The wallet with the secrets that the daemon already has of this client. */
  withKnownSecrets(wallet: DraftWallet): DraftWallet {
    if (wallet.kind === 'simulator') return wallet;
    if (wallet.kind === 'epayment') {
      const {
        clientSecret = null,
        subscriptionKey = null,
        secondSubscriptionKey = null,
      } = this.#knownUnit(wallet) ?? {};
      return { ...wallet, clientSecret, subscriptionKey, secondSubscriptionKey };
    }
    const known = this.#known(wallet);
    return known === undefined
      ? wallet
      : {
          ...wallet,
          clientSecret: known.clientSecret,
          reportingKey: reportingKeyFor(wallet, known),
        };
  }

  /** The given secret, or the stored one. @throws Refusal secretMissing */
  secret(asked: Pick<ServiceInput, 'clientId' | 'clientSecret' | 'baseUrl' | 'authUrl'>): Secret {
    const secret = asked.clientSecret ?? this.#known(asked)?.clientSecret;
    if (secret == null)
      throw new Refusal(
        'secretMissing',
        'there is no secret of this client at this service here yet',
        { field: 'clientSecret' },
      );
    return secret;
  }

  /** The given keys, or the stored ones. @throws Refusal secretMissing */
  keys(asked: SalesUnitInput): { readonly clientSecret: Secret; readonly subscriptionKey: Secret } {
    const known = this.#knownUnit(asked);
    const the = (field: 'clientSecret' | 'subscriptionKey'): Secret => {
      const key = asked[field] ?? known?.[field];
      if (key == null)
        throw new Refusal('secretMissing', 'this key of the sales unit is not here yet', { field });
      return key;
    };
    return { clientSecret: the('clientSecret'), subscriptionKey: the('subscriptionKey') };
  }

  /** As `#known`, for a sales unit in the same environment. */
  #knownUnit({
    clientId,
    environment,
    merchantSerialNumber,
    baseUrl,
  }: Omit<SalesUnitInput, 'clientSecret' | 'subscriptionKey'>): DraftSalesUnit | undefined {
    const settings = this.#options.host.settings();
    const wallets = [this.#draft?.wallet ?? null, settings && draftWallet(settings.wallet)];
    return wallets.find(
      (wallet): wallet is DraftSalesUnit =>
        wallet?.kind === 'epayment' &&
        wallet.clientId === clientId &&
        wallet.environment === environment &&
        wallet.merchantSerialNumber === merchantSerialNumber &&
        wallet.baseUrl === baseUrl &&
        wallet.clientSecret !== null,
    );
  }

  /** @throws Refusal secretMissing */
  opened(secret: Secret, field: 'clientSecret' | 'subscriptionKey'): string {
    try {
      return lookUpSecret(secret, `wallet.${field}`, this.#options.host.secrets);
    } catch (error) {
      throw new Refusal('secretMissing', messageOf(error), { field });
    }
  }

  /**
   * The stored secrets of this client, from the draft or the settings in use. Only for the same
   * addresses: a secret is never sent elsewhere.
   */
  #known({
    clientId,
    baseUrl,
    authUrl,
  }: Pick<ServiceInput, 'clientId' | 'baseUrl' | 'authUrl'>): DraftService | undefined {
    const settings = this.#options.host.settings();
    const wallets = [this.#draft?.wallet ?? null, settings && draftWallet(settings.wallet)];
    return wallets.find(
      (wallet): wallet is DraftService =>
        wallet?.kind === 'service' &&
        wallet.clientId === clientId &&
        wallet.baseUrl === baseUrl &&
        wallet.authUrl === authUrl &&
        wallet.clientSecret !== null,
    );
  }

  #withProof<Wallet extends DraftService | DraftSalesUnit>(wallet: Wallet): Wallet {
    const isProven = this.#proven !== null && this.#proven.service === credentialsOf(wallet);
    return isProven ? { ...wallet, provenAtMs: this.#proven?.atMs ?? null } : wallet;
  }

  readonly #sealed = (secret: Secret, path: string): Secret =>
    sealedSecret(secret, path, this.#options.host.secrets);

  /** Drafts of earlier versions have a till's password in clear. */
  #read(): Draft | null {
    const { path, log } = this.#options;
    const read = readDraft(path, log);
    if (read === null) return null;
    const sealed = this.#sealedWherePossible(read);
    try {
      if (sealed !== read) writeDraft(path, sealed);
    } catch (error) {
      log.warn(
        { path, detail: messageOf(error) },
        'the secrets in the draft of the setup stay in clear on the disk until its next step',
      );
    }
    return sealed;
  }

  /**
   * What cannot be sealed was in clear before, in the settings or in the draft, and stays so.
   * Returns the same object when there is nothing to seal.
   */
  #sealedWherePossible(draft: Draft): Draft {
    const { host, log } = this.#options;
    if (host.secrets.safe === null) return draft;
    let hasSealed = false;
    const sealed = mapDraftSecrets(draft, (secret, path) => {
      if (typeof secret !== 'string') return secret;
      try {
        const made = this.#sealed(secret, path);
        hasSealed = true;
        return made;
      } catch (error) {
        log.warn({ detail: messageOf(error) }, 'a secret in the draft of the setup stays in clear');
        return secret;
      }
    });
    return hasSealed ? sealed : draft;
  }
}

/** The stored key, if the reporting address is unchanged. */
function reportingKeyFor(
  { reportingUrl }: Pick<ServiceInput, 'reportingUrl'>,
  known: DraftService | undefined,
): Secret | null {
  return known !== undefined && known.reportingUrl === reportingUrl ? known.reportingKey : null;
}

/** @throws Refusal */
export function incomplete(step: string): Refusal {
  return new Refusal('incomplete', `${step} is not filled in yet`, { facts: { step } });
}

type Credentials =
  | Omit<DraftService, 'reportingKey' | 'provenAtMs'>
  | Pick<
      DraftSalesUnit,
      | 'kind'
      | 'environment'
      | 'baseUrl'
      | 'merchantSerialNumber'
      | 'clientId'
      | 'clientSecret'
      | 'subscriptionKey'
    >;

function credentialsOf(of: Credentials): string {
  const { baseUrl, clientId, clientSecret } = of;
  const others =
    of.kind === 'service'
      ? [of.authUrl, of.tokenFor, of.profile]
      : [of.environment, of.merchantSerialNumber, of.subscriptionKey];
  return JSON.stringify([baseUrl, clientId, clientSecret, ...others]);
}

/** Two lanes of a counter share nothing of these. @throws Refusal */
function checkOthers({ laneId, pointOfSale, till }: Draft, settings: Settings | null): void {
  const others = settings?.lanes.filter(({ id }) => id !== laneId) ?? [];
  const taken = (code: string, field: string, by: LaneSettings | undefined): void => {
    if (by !== undefined)
      throw new Refusal(code, `lane ${by.id} has it`, { field, facts: { laneId: by.id } });
  };
  if (pointOfSale !== null) {
    const name = pointOfSale.laneName ?? pointOfSale.name;
    // Lanes that already have one name may stay as they are.
    const isNew = settings?.lanes.find(({ id }) => id === laneId)?.name !== name;
    taken(
      'nameTaken',
      pointOfSale.laneName === null ? 'value.name' : 'value.laneName',
      others.find((other) => isNew && other.name === name),
    );
    taken(
      'laneTaken',
      'value.laneId',
      others.find(({ id }) => id === pointOfSale.laneId),
    );
    taken(
      'posTaken',
      'value.merchantPosId',
      others.find((other) => other.pointOfSale.merchantPosId === pointOfSale.merchantPosId),
    );
  }
  if (till === null) return;
  if (till.transport === 'http') {
    const poiIdOf = ({ till: other }: LaneSettings): string | undefined =>
      other.protocol === 'http' ? other.nexo?.poiId : undefined;
    const poiId = till.nexo?.poiId;
    return taken(
      'poiTaken',
      'value.nexo.poiId',
      others.find((other) => poiId !== undefined && poiIdOf(other) === poiId),
    );
  }
  taken(
    'tillTaken',
    till.transport === 'serial' ? 'value.path' : 'value.port',
    others.find(({ till: other }) => {
      if (other.protocol === 'http') return false;
      if (till.transport === 'serial')
        return other.transport === 'serial' && isSamePort(other.path, till.path);
      return (
        other.transport === 'tcp' &&
        till.port !== 0 &&
        other.host === till.host &&
        other.port === till.port
      );
    }),
  );
}
