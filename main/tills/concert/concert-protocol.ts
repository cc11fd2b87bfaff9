import type { TillProtocol } from '../till-protocol.ts';
import { ConcertTill, defaultPort } from './settings.ts';

export const concertProtocol = {
  name: 'concert',
  settings: ConcertTill,
  secrets: [],
  defaultPort,
  page: 'docs/concert.md',
  madeWith: () => [],
  async create(till, lane) {
    const { createConcertTill } = await import('./till.ts');
    return { till: createConcertTill({ ...lane, settings: till }) };
  },
} as const satisfies TillProtocol<typeof ConcertTill, ConcertTill>;
