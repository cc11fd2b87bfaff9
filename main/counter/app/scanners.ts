import { ScannedTexts } from '../devices/scanned-texts.ts';
import { openSerialWire } from '../devices/serial-port.ts';
import type { Clock } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';
import type { Lane } from '../../core/lane/lane.ts';
import type { ReadySettings } from '../settings/load.ts';
import { keepSerialLine } from '../../tills/line/serial-line.ts';

/**
 * Listens to the scanners at serial ports: what one reads names the customer of its lane. @returns
 * lets go of the ports
 */
export function listenToScanners(
  { lanes: settings }: Pick<ReadySettings, 'lanes'>,
  lanes: readonly { readonly naming: Pick<Lane['naming'], 'byScanner'> }[],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): () => Promise<void> {
  const lines = settings.flatMap(({ id, scanner }, index) => {
    const lane = lanes[index];
    if (scanner === undefined || lane === undefined) return [];
    const texts = new ScannedTexts(clock, (text) => lane.naming.byScanner(text));
    // A scanner is told nothing.
    const link = {
      attach() {},
      detach: () => texts.forget(),
      data: (bytes: Uint8Array) => texts.data(bytes),
      close: () => texts.forget(),
    };
    return keepSerialLine({
      port: { ...scanner, stopBits: 1 },
      device: 'scanner',
      link,
      open: openSerialWire,
      clock,
      log: log.child({ lane: id }),
      state() {},
    });
  });
  return async () => void (await Promise.all(lines.map((line) => line.close())));
}
