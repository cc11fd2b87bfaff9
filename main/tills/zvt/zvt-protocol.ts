import { TillPassword } from '../../core/domain/field-rules.ts';
import type { TillProtocol } from '../till-protocol.ts';
import { defaultPort, type ReadyZvtTill, ZvtTill } from './settings.ts';

export const zvtProtocol = {
  name: 'zvt',
  settings: ZvtTill,
  secrets: [
    {
      path: 'password',
      mistakes: (secret) =>
        TillPassword.safeParse(secret).success ? [] : ['must be six digits, got "***"'],
    },
  ],
  defaultPort,
  page: 'docs/till.md',
  madeWith: () => ['terminalId'],
  async create(till, lane) {
    const { createZvtTill } = await import('./till.ts');
    const { keptLanguage } = lane;
    const recording = lane.recording(till.record);
    return {
      till: createZvtTill({
        settings: { ...till, terminalId: lane.terminalId() },
        currency: lane.currency,
        laneName: lane.laneName,
        get shop() {
          return lane.shop;
        },
        get shopLanguage() {
          return lane.shopLanguage;
        },
        beacons: lane.beacons,
        softwareVersion: lane.softwareVersion,
        clock: lane.clock,
        log: lane.log,
        notices: lane.notices,
        openSerialWire: lane.openSerialWire,
        ...(recording !== undefined && { recording }),
        ...(keptLanguage !== undefined && { keptLanguage }),
      }),
    };
  },
} as const satisfies TillProtocol<typeof ZvtTill, ReadyZvtTill>;
