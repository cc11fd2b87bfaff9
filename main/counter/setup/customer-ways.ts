/** Implements `preload/procedures/setup-ways.ts`. */
import { isDeepStrictEqual } from 'node:util';
import type { ParsedInputOf } from '../../../preload/procedures.ts';
import { Refusal } from '../../../preload/procedures/procedure.ts';
import type { CustomerWays, ScannerReport, Ways } from '../../../preload/procedures/setup-ways.ts';
import { isSamePort } from '../devices/serial-ports.ts';
import type { Clock } from '../../core/domain/clock.ts';
import { messageOf } from '../../core/domain/errors.ts';
import type { OpenSerialWire } from '../../core/domain/wire.ts';
import type { Handlers } from '../server/router.ts';
import type { LaneSettings, Settings } from '../settings/schema.ts';
import { stickerId, stickerRule } from '../../core/domain/stickers.ts';
import { lookUpSecret, sealedSecret } from '../../support/settings/secrets.ts';
import { serviceOf } from '../settings/wallet.ts';
import { type Secret } from '../../support/settings/secrets.ts';
import { userOf } from './ports.ts';
import { tryReceiver } from './receiver-trial.ts';
import { ScannerListener } from './scanner-listener.ts';
import type { Network } from './service.ts';
import type { SetupHost } from './setup-host.ts';

interface WaysSetupOptions {
  readonly host: Pick<SetupHost, 'settings' | 'change' | 'secrets'>;
  readonly network: Pick<Network, 'send' | 'clock'>;
  readonly openSerialWire: OpenSerialWire;
  readonly clock: Clock;
}

type Asked = ParsedInputOf<'changeCustomerWays'>;
type Receiver = NonNullable<Settings['receiver']>;

/** A port that takes longer is told as still opening. */
const opensWithinMs = 2_000;
const silence: ScannerReport = { state: 'stopped', problem: null, detail: null, read: null };

/** Sets up how a lane finds its customers with the ePayment service. */
export class CustomerWaysSetup {
  readonly #options: WaysSetupOptions;
  #listener: ScannerListener | null = null;

  constructor(options: WaysSetupOptions) {
    this.#options = options;
  }

  readonly handlers: Handlers = {
    customerWays: ({ laneId }) => shown(this.#settings(), laneId),

    changeCustomerWays: async (asked) => {
      const before = this.#settings();
      const changed = (settings: Settings): Settings =>
        settingsWith(settings, asked, this.#receiver(asked.receiver, settings));
      // A change closes and reopens the lanes, so it is made only when something differs.
      if (!isDeepStrictEqual(changed(before), before)) {
        await this.release();
        await this.#options.host.change((inUse) => changed(inUse ?? before));
      }
      return shown(this.#settings(), asked.laneId);
    },

    tryReceiver: async (asked) => {
      const { network, host } = this.#options;
      const { wallet, receiver } = this.#settings();
      const { token } = keptOrNew(asked, receiver, host.secrets);
      const isTest = 'environment' in wallet && wallet.environment === 'test';
      await tryReceiver({
        url: asked.url,
        token: this.#opened(token),
        network,
        environment: host.secrets.environment,
        isTest,
      });
      return {};
    },

    listenToScanner: async (port) => {
      const { clock } = this.#options;
      const { laneId } = userOf((path) => isSamePort(path, port.path), this.#settings().lanes);
      if (laneId !== null) throw portUsed(laneId, 'path');
      await this.release();
      this.#listener = new ScannerListener(port, this.#options);
      await Promise.race([
        this.#listener.settled,
        new Promise<void>((resolve) => clock.after(opensWithinMs, resolve)),
      ]);
      return this.#listener.heard();
    },

    scannerHeard: () => this.#listener?.heard() ?? silence,

    stopScanner: async () => {
      await this.release();
      return {};
    },
  };

  /** Lets go of the port that is listened to. */
  async release(): Promise<void> {
    await this.#listener?.stop();
  }

  /** @throws Refusal notHere */
  #settings(): Settings {
    const settings = this.#options.host.settings();
    if (settings === null || serviceOf(settings.wallet) !== 'epayment')
      throw new Refusal('notHere', 'nothing is set up with the ePayment service');
    return settings;
  }

  /** @throws Refusal tokenMissing */
  #receiver(asked: Asked['receiver'], { receiver }: Settings): Receiver | null {
    return asked && keptOrNew(asked, receiver, this.#options.host.secrets);
  }

  /** @throws Refusal tokenMissing */
  #opened(token: Secret): string {
    if (typeof token === 'string') return token;
    try {
      return lookUpSecret(token, 'receiver.token', this.#options.host.secrets);
    } catch (error) {
      throw new Refusal('tokenMissing', messageOf(error), { field: 'token' });
    }
  }
}

/** @throws Refusal tokenMissing: the one that is kept goes to no other address */
function keptOrNew(
  { url, token }: NonNullable<Asked['receiver']>,
  kept: Receiver | undefined,
  secrets: SetupHost['secrets'],
): Receiver {
  if (token !== null) return { url, token: sealedSecret(token, 'receiver.token', secrets) };
  if (kept?.url === url) return kept;
  throw new Refusal('tokenMissing', 'there is no token of this receiver here yet', {
    field: 'token',
  });
}

const portUsed = (laneId: string, field: string): Refusal =>
  new Refusal('portUsed', `lane ${laneId} has this port`, { field, facts: { laneId } });

/** @throws Refusal notFound */
function laneIn({ lanes }: Settings, laneId: string): LaneSettings {
  const lane = lanes.find(({ id }) => id === laneId);
  if (lane === undefined) throw new Refusal('notFound', `there is no lane ${laneId}`);
  return lane;
}

function shown(settings: Settings, laneId: string): CustomerWays {
  const lane = laneIn(settings, laneId);
  const others = settings.lanes.filter((other) => other !== lane && other.sticker !== undefined);
  const { receiver } = settings;
  return {
    laneId,
    name: lane.name,
    ways: waysOf(lane),
    receiver: receiver === undefined ? null : { url: receiver.url },
    freeStickerId: freeStickerId(
      lane,
      others.map(({ sticker }) => (sticker === undefined ? '' : stickerId(sticker).toLowerCase())),
    ),
    stickersAt: others.map(({ id }) => id),
  };
}

function waysOf({ flow, customerTypesNumber, sticker, scanner }: LaneSettings): Ways {
  if (flow === 'initiate') return { flow };
  const { id, beaconId } = sticker ?? {};
  const its =
    id !== undefined
      ? ({ kind: 'own', id } as const)
      : beaconId !== undefined
        ? ({ kind: 'printed', beaconId } as const)
        : null;
  return { flow, customerTypesNumber, sticker: its, scanner: scanner ?? null };
}

/**
 * An id that contains the point of sale's number, so that the service's records show whose sticker
 * it is.
 */
function freeStickerId(
  { pointOfSale: { merchantPosId } }: LaneSettings,
  taken: readonly string[],
): string {
  const ours = `tillbeacon-${merchantPosId.replaceAll(/[^a-zA-Z0-9._~-]/g, '-')}`;
  let id = ours;
  for (let number = 2; taken.includes(id.toLowerCase()); number += 1) id = `${ours}-${number}`;
  return id;
}

/** @throws Refusal */
function settingsWith(
  before: Settings,
  { laneId, ways }: Asked,
  receiver: Receiver | null,
): Settings {
  const lane = laneIn(before, laneId);
  const others = before.lanes.filter((other) => other !== lane);
  const { sticker: _sticker, scanner: _scanner, ...rest } = lane;
  const changed = { ...rest, checkInFirst: false, ...ofLane(ways) };
  const { sticker, scanner } = changed;
  const inNeed = others.find((other) => other.sticker !== undefined);
  if (receiver === null && sticker !== undefined)
    throw new Refusal('receiverMissing', stickerRule, { field: 'ways.sticker' });
  if (receiver === null && inNeed !== undefined)
    throw new Refusal('receiverNeeded', `lane ${inNeed.id} has a sticker, which ${stickerRule}`, {
      field: 'receiver',
      facts: { laneId: inNeed.id },
    });
  const owner =
    sticker &&
    others.find(
      (other) =>
        other.sticker !== undefined &&
        stickerId(other.sticker).toLowerCase() === stickerId(sticker).toLowerCase(),
    );
  if (owner !== undefined)
    throw new Refusal('stickerTaken', `lane ${owner.id} has it`, {
      field: 'ways.sticker',
      facts: { laneId: owner.id },
    });
  // Its own till may have the port as well.
  const user =
    scanner && userOf((path) => isSamePort(path, scanner.path), [...others, rest]).laneId;
  if (user != null) throw portUsed(user, 'ways.scanner.path');
  const { receiver: _receiver, ...settings } = before;
  return {
    ...settings,
    ...(receiver !== null && { receiver }),
    // Before the amount, customers find a sticker alone.
    lanes: before.lanes.map((one) =>
      one === lane ? { ...changed, checkInFirst: lane.checkInFirst && sticker !== undefined } : one,
    ),
  };
}

function ofLane(
  ways: Ways,
): Pick<LaneSettings, 'flow' | 'customerTypesNumber' | 'sticker' | 'scanner'> {
  if (ways.flow === 'initiate') return { flow: 'initiate', customerTypesNumber: false };
  const { flow, customerTypesNumber, sticker, scanner } = ways;
  return {
    flow,
    customerTypesNumber,
    ...(sticker !== null && {
      sticker: sticker.kind === 'own' ? { id: sticker.id } : { beaconId: sticker.beaconId },
    }),
    ...(scanner !== null && { scanner }),
  };
}
