import type { Cancel } from '../../core/domain/clock.ts';
import type { Notices } from '../../core/domain/notices.ts';
import type { Lane } from '../../core/lane/lane.ts';
import type { ReadySettings } from '../settings/load.ts';
import { stickerId } from '../../core/domain/stickers.ts';
import { followScans } from '../../wallets/callbacks/scan-link.ts';
import { fetchHttp } from '../../wallets/http/http.ts';
import type { System } from './system.ts';

interface ScannedLane {
  readonly naming: Pick<Lane['naming'], 'bySticker'>;
}

interface StickersOptions extends System {
  readonly notices: Notices;
}

/**
 * Brings scans of stickers from the receiver to their lanes, for this sales unit alone. @param
 * simulated the simulated service; null for a real one. @returns ends it
 */
export function followStickers(
  settings: ReadySettings,
  lanes: readonly ScannedLane[],
  simulated: string | null,
  { clock, log, notices }: StickersOptions,
): Cancel {
  const { receiver, wallet } = settings;
  const msn = 'merchantSerialNumber' in wallet ? wallet.merchantSerialNumber : simulated;
  const laneOf = new Map<string, ScannedLane>();
  for (const [index, { sticker }] of settings.lanes.entries()) {
    const lane = lanes[index];
    if (sticker !== undefined && lane !== undefined) laneOf.set(stickerId(sticker), lane);
  }
  if (receiver === undefined || laneOf.size === 0 || msn === null) return () => {};
  const subject = new URL(receiver.url).host;
  const stop = followScans({
    ...receiver,
    send: fetchHttp,
    clock,
    log,
    scanned(scan) {
      const lane = scan.msn === msn ? laneOf.get(scan.merchantQrId) : undefined;
      if (lane === undefined)
        log.warn(
          { msn: scan.msn, sticker: scan.merchantQrId },
          'a scanned sticker belongs to no lane here',
        );
      else lane.naming.bySticker(scan.customerToken, scan.atMs);
    },
    failed: (detail) =>
      detail === null
        ? notices.settle('receiverAway', subject)
        : notices.raise({ code: 'receiverAway', subject, detail }),
  });
  return () => {
    stop();
    notices.settle('receiverAway', subject);
  };
}
