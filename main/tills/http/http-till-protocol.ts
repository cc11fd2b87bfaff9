import { NexoPassphrase } from '../../core/domain/field-rules.ts';
import type { TillProtocol } from '../till-protocol.ts';
import { HttpTill, type ReadyHttpTill } from './settings.ts';

/** A till over the HTTP API, or over Nexo beside it. */
export const httpTillProtocol = {
  name: 'http',
  settings: HttpTill,
  secrets: [
    {
      path: 'nexo.key.passphrase',
      // The rules alone: a mistake must not show the passphrase.
      mistakes: (secret) =>
        NexoPassphrase.safeParse(secret).error?.issues.map(({ message }) => message) ?? [],
    },
  ],
  defaultPort: null,
  page: 'docs/http-api.md',
  // A receipt of Nexo is made with them.
  madeWith: ({ nexo }) => (nexo === undefined ? [] : ['shop', 'language']),
  async create({ nexo }, lane) {
    const { createHttpTill } = await import('./till.ts');
    const till = createHttpTill(lane.laneId, lane.clock);
    if (nexo === undefined) return { till, program: { till } };
    const { nexoLane } = await import('../nexo/protocol.ts');
    const { laneName, shop, shopLanguage: language = 'en' } = lane;
    return {
      till,
      program: {
        till,
        nexoLane: (counter) => nexoLane(counter, nexo, { laneName, shop, language }),
      },
    };
  },
} as const satisfies TillProtocol<typeof HttpTill, ReadyHttpTill>;
