import { Refusal } from '../../../../preload/procedures/procedure.ts';
import type { Handlers } from '../../server/router.ts';
import type { Tokens } from '../../../tills/http/tokens.ts';

export interface TillTokensOptions {
  readonly tokens: Pick<Tokens, 'list' | 'make' | 'revoke'>;
  /** Whose till is software. */
  readonly lanes: () => readonly { readonly laneId: string; readonly name: string }[];
  /** Where tills reach the API; null when it is not served. */
  readonly address: () => Promise<string | null>;
}

/** The handlers of `preload/procedures/till-tokens.ts`. */
export function tillTokenHandlers({ tokens, lanes, address }: TillTokensOptions): Handlers {
  return {
    tillTokens: async () => ({
      lanes: [...lanes()],
      tokens: tokens.list(),
      address: await address(),
    }),

    makeTillToken(request) {
      if (!lanes().some(({ laneId }) => laneId === request.laneId))
        throw new Refusal('notFound', `no till of lane ${request.laneId} is software`, {
          field: 'laneId',
        });
      const token = tokens.make(request);
      if (token === 'tooMany')
        throw new Refusal('tooManyTokens', 'this counter has the maximum number of tokens');
      return { token: token.token };
    },

    revokeTillToken({ tokenId }) {
      if (!tokens.revoke(tokenId))
        throw new Refusal('notFound', 'this token does not exist any more', { field: 'tokenId' });
      return {};
    },
  };
}
