/** The line to the terminal against which a recording is replayed. */
import type { Clock } from '../../core/domain/clock.ts';
import { silentLog } from '../../core/domain/log.ts';
import { connectTcp } from '../till/register.ts';
import type { TerminalLine } from '../till/try-till.ts';
import { ZvtSerialLink } from '../../tills/zvt/serial-link.ts';
import type { ReplayOptions } from './replay.ts';

export function connectTo(line: TerminalLine, clock: Clock): ReplayOptions['connect'] {
  if (line.transport === 'tcp') return (listener) => connectTcp(line, listener);
  return async ({ received, gone }) => {
    const link = new ZvtSerialLink({ clock, log: silentLog, listener: { received } });
    const { path, baudRate = 9600, stopBits = 2 } = line;
    const wire = await line.open(
      { path, baudRate, stopBits },
      { data: (bytes) => link.data(bytes), lost: gone },
    );
    link.attach(wire);
    return {
      isUp: () => link.isUp(),
      send: (apdu, sent) => link.send(apdu, sent),
      unanswered: () => {},
      close() {
        link.close();
        void wire.close();
      },
    };
  };
}
