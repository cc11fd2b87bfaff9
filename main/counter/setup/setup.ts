/** Implements `preload/procedures/setup.ts`. */
import { approachOf } from '../../core/domain/beacons.ts';
import { join } from 'node:path';
import type { OutputOf } from '../../../preload/procedures.ts';
import { Refusal } from '../../../preload/procedures/procedure.ts';
import type { SerialPortFound } from '../devices/serial-ports.ts';
import type { Clock } from '../../core/domain/clock.ts';
import type { Ids } from '../../core/domain/ids.ts';
import type { Log } from '../../core/domain/log.ts';
import type { OpenSerialWire } from '../../core/domain/wire.ts';
import type { DownloadStore } from '../server/download-store.ts';
import type { Handlers } from '../server/router.ts';
import { CustomerScreensSetup } from './customer-screens.ts';
import { CustomerWaysSetup } from './customer-ways.ts';
import type { Settings } from '../settings/schema.ts';
import { settingsWith, draftView, walletInUse, withCallbackOf } from './draft.ts';
import { DraftStore } from './draft-store.ts';
import { bringsToken, lacksPassphrase } from './draft-till.ts';
import type { SetupHost } from './setup-host.ts';
import { exportLane, importLane } from './lane-file.ts';
import { LaneRemoval } from './lane-removal.ts';
import { namingLanes } from './naming-lanes.ts';
import { isNamed } from './ports.ts';
import type { Network } from './service.ts';
import { ServiceSetup } from './service-setup.ts';
import { requirePersonFor } from './displays.ts';
import { CheckInTests } from './check-in-test.ts';
import { PaymentTest } from './payment-test.ts';
import { TestedLanes } from './tested-lanes.ts';
import { TillSetup } from './till-setup.ts';

interface SetupOptions {
  readonly host: SetupHost;
  readonly dataFolder: string;
  readonly downloads: DownloadStore;
  readonly network: Network;
  readonly listSerialPorts: () => Promise<readonly SerialPortFound[]>;
  readonly openSerialWire: OpenSerialWire;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

export interface Setup {
  readonly handlers: Handlers;
  close(): Promise<void>;
}

export function createSetup(options: SetupOptions): Setup {
  const { host, downloads } = options;
  const testedLanes = new TestedLanes(join(options.dataFolder, 'tested-lanes.json'), options.log);
  const drafts = new DraftStore({
    ...options,
    path: join(options.dataFolder, 'setup-draft.json'),
    testedLanes,
  });
  const service = new ServiceSetup({ ...options, drafts });
  const till = new TillSetup({ ...options, drafts });
  let finishing = false;
  const customers = new CustomerScreensSetup(options);
  const ways = new CustomerWaysSetup(options);
  const payment = new PaymentTest({ host, service });
  const checkIns = new CheckInTests(options);
  const removal = new LaneRemoval({ ...options, service });

  const handlers: Handlers = {
    ...service.handlers,
    ...till.handlers,
    ...customers.handlers,
    ...ways.handlers,
    ...removal.handlers,
    ...payment.handlers,
    ...checkIns.handlers,

    shop: () => ({
      language: host.settings()?.language ?? null,
      isSetUp: host.settings() !== null,
    }),

    setupState: () => {
      const settings = host.settings();
      const lanes = settings?.lanes ?? [];
      return {
        inUse: settings && {
          wallet: walletInUse(settings),
          lanes: lanes.map(({ id, name, pointOfSale, sticker }) => {
            const lane = host.lanes().find((one) => one.id === id);
            const picture = lane?.picture ?? null;
            return {
              laneId: id,
              name,
              merchantPosId: pointOfSale.merchantPosId,
              pointOfSaleName: pointOfSale.name,
              till: lane?.address ?? '',
              qr: pointOfSale.beaconTypes.includes('QR') ? (lane?.qr ?? null) : null,
              ...(picture !== null && { picture }),
              ...(pointOfSale.beaconId !== null && { beaconId: pointOfSale.beaconId }),
              beacons:
                settings?.wallet.service !== 'epayment'
                  ? pointOfSale.beaconTypes
                  : sticker === undefined
                    ? []
                    : ['QR' as const],
            };
          }),
        },
        draft: drafts.draft && draftView(drafts.draft),
        file: host.fileState(),
        starts: host.starts(),
        ...(host.canRestore() && { canRestore: true as const }),
        recreating: lanes
          .filter(({ pointOfSale }) => host.recreations.has(pointOfSale.merchantPosId))
          .map(({ id }) => id),
        leftBehind: removal.leftBehind(),
      };
    },

    beginSetup: async ({ laneId }) => {
      await till.forget();
      return drafts.begin(laneId);
    },

    discardSetup: async () => {
      await till.forget();
      drafts.forget();
      return {};
    },

    saveDraft: async (asked, session) => {
      if (asked.step === 'wallet')
        return drafts.save({ step: 'wallet', value: drafts.wallet(asked.value) });
      if (asked.step !== 'till') return drafts.save(asked);
      requirePersonFor(asked.value, host, session);
      const kept = drafts.till(asked.value);
      const value = kept.transport === 'http' ? await till.checked(kept, session) : kept;
      return drafts.save({ step: 'till', value, unheard: !till.isHeard(asked.value) });
    },

    finishSetup: async ({ recreate }, session) => {
      // A second call, from another page or a double click, would create the same point of sale
      // again.
      if (finishing) throw new Refusal('busy', 'a setup is being finished at this moment');
      finishing = true;
      try {
        // Also of a draft that somebody else has filled in.
        requirePersonFor(drafts.draft?.till, host, session);
        const finished = await finish(recreate);
        return { ...finished, firstManagerCode: host.handOver(session) };
      } finally {
        finishing = false;
      }
    },

    exportLane: ({ laneId }, session) =>
      downloads.offer(session, exportLane(host.settings(), laneId)),

    importLane: async ({ text }, session) => {
      const { draft: imported, hadPassword } = importLane(text, host.settings());
      const wallet = imported.wallet && drafts.withKnownSecrets(imported.wallet);
      const ports = await options.listSerialPorts();
      const { till: line } = imported;
      const isProgram = line?.transport === 'http';
      // Checked as when it is typed; what does not fit here is asked for.
      const checked = isProgram ? await till.checked(line, session).catch(() => null) : line;
      await till.forget();
      const draft = drafts.keep({ ...imported, wallet, till: checked ?? line });
      const hasPort =
        line?.transport !== 'serial' || ports.some((port) => isNamed(port, line.path));
      const hasSecret =
        draft.wallet === null || draft.wallet.kind === 'simulator' || draft.wallet.hasSecret;
      const hasPassword =
        !hadPassword ||
        (draft.till !== null && draft.till.transport !== 'http' && draft.till.hasPassword);
      const missing = [
        ...(hasSecret ? [] : (['clientSecret'] as const)),
        ...(hasPort ? [] : (['serialPort'] as const)),
        ...(hasPassword ? [] : (['tillPassword'] as const)),
        ...(checked === null ? (['tillAddress'] as const) : []),
        ...(line !== null && bringsToken(line) && imported.laneId === null
          ? (['tillToken'] as const)
          : []),
        ...(line !== null && lacksPassphrase(line) ? (['tillPassphrase'] as const) : []),
      ];
      return { draft, missing };
    },

    stickerSheet: async ({ laneId, hold }, session) => {
      const settings = host.settings()?.lanes.find(({ id }) => id === laneId);
      const lane = host.lanes().find(({ id }) => id === laneId);
      if (settings === undefined || lane === undefined)
        throw new Refusal('notFound', `there is no lane ${laneId}`);
      const { beaconTypes, name } = settings.pointOfSale;
      const approach = settings.sticker === undefined ? approachOf(beaconTypes) : 'code';
      const picture =
        lane.picture === null
          ? null
          : Buffer.from(lane.picture.slice(lane.picture.indexOf(',') + 1), 'base64');
      if (approach !== 'beacon' && lane.qr === null && picture === null)
        throw new Refusal('notOpen', 'the lane was not open yet');
      // Loaded on demand: the PDF library is large, and stickers are printed rarely.
      const { stickerSheet } = await import('./sticker-sheet.ts');
      const content = await stickerSheet({
        qr: approach === 'beacon' ? null : lane.qr,
        picture,
        hold: approach === 'code' ? null : hold,
        name,
      });
      return downloads.offer(session, {
        name: `sticker-${laneId}.pdf`,
        type: 'application/pdf',
        content,
      });
    },
  };

  const nameOf = (laneId: string): string | undefined =>
    host.settings()?.lanes.find(({ id }) => id === laneId)?.name;
  return {
    handlers: namingLanes(handlers, nameOf),
    close: async () => {
      checkIns.stop();
      await Promise.all([till.release(), ways.release()]);
    },
  };

  async function finish(
    recreate: boolean,
  ): Promise<Pick<OutputOf<'finishSetup'>, 'laneId' | 'tested' | 'unheard'>> {
    const asked = drafts.whole();
    const { pointOfSale, found, reservations, beaconTakenBy } = await service.consequences(asked);
    if (beaconTakenBy !== null)
      throw new Refusal('beaconTaken', `the point of sale ${beaconTakenBy} has this beacon`, {
        field: 'beaconId',
      });
    if (pointOfSale === 'recreate' && !recreate)
      throw new Refusal('unconfirmed', 'the point of sale would be created anew');
    if (pointOfSale === 'recreate' && reservations > 0)
      throw new Refusal('reservations', 'payments at this point of sale are not settled yet', {
        facts: { count: reservations },
      });
    const draft = withCallbackOf(found, asked);
    await till.release();
    if (pointOfSale === 'new') await service.create(draft);
    const { merchantPosId } = draft.pointOfSale;
    const { tillToken: token } = draft;
    const { tested, unheard } = draft;
    let laneId = '';
    let changed: Settings | null = null;
    const change = (inUse: Settings | null): Settings => {
      const { settings, lane } = settingsWith(inUse, draft);
      laneId = lane.id;
      changed = settings;
      // Before the lane is there: with it, its till is taken. A crash in between leaves a token of
      // no lane, which the next start revokes.
      if (token !== null && host.tokens.adopt(token, laneId) === 'tooMany')
        throw new Refusal('tooManyTokens', 'this counter has the maximum number of tokens');
      return settings;
    };
    try {
      await host.change(
        change,
        pointOfSale === 'recreate' && found !== null ? { merchantPosId, posId: found.posId } : null,
      );
    } catch (error) {
      if (token !== null) host.tokens.revoke(token.tokenId);
      throw error;
    }
    if (changed !== null) testedLanes.note(laneId, tested, changed);
    removal.taken(merchantPosId);
    drafts.forget();
    return { laneId, tested, unheard };
  }
}
