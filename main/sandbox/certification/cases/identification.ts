/** A. Identification and headers. */
import { type CaseDefinition } from '../case.ts';
import { each, notShown } from '../finding.ts';
import { headerNames } from '../../../wallets/v10/v10-profile.ts';
import { of } from '../checks.ts';
import { type ObservedExchange, headerOf, isAnswered } from '../exchange.ts';

const calls = (exchanges: readonly ObservedExchange[]): ObservedExchange[] =>
  exchanges.filter(({ operation }) => operation !== 'token');

export const clientVersion: CaseDefinition = {
  id: '1',
  title: 'The client says which version it is',
  rules: [
    {
      says: 'every call carries the client version, Major.Minor.Build, and it is the one to be certified',
      source: 'document 4, section 1.12',
      kind: 'conduct',
      look({ all, profile, clientVersion }) {
        const name = headerNames(profile).clientVersion;
        const wrong = (exchange: ObservedExchange): string | null => {
          const version = headerOf(exchange, name);
          if (version === null) return `${name} is missing`;
          if (!/^\d+\.\d+\.\d+$/.test(version)) return `${version} is not Major.Minor.Build`;
          return version === clientVersion
            ? null
            : `${version} is not the version ${clientVersion} that is certified`;
        };
        return each(calls(all), wrong, 'call', ` with ${name}: ${clientVersion}`);
      },
    },
  ],
  people: [
    'The client ids of sandbox and production, the name of the system and this version are entered on the certification page.',
  ],
};

export const tokenAndMerchant: CaseDefinition = {
  id: '2',
  title: 'Token and merchant',
  run: async (harness) => ({ stores: (await harness.client.listStoreIds({ query: {} })).storeIds }),
  rules: [
    {
      says: 'the token is asked for with the client credentials in a Basic header and grant_type=client_credentials',
      source: 'interface document 2, "Authentication"',
      kind: 'conduct',
      look({ all }) {
        const wrong = (exchange: ObservedExchange): string | null => {
          if (headerOf(exchange, 'authorization')?.startsWith('Basic ') !== true)
            return 'no Basic header';
          if (headerOf(exchange, 'content-type') !== 'application/x-www-form-urlencoded')
            return 'not a form';
          return new URLSearchParams(exchange.body ?? '').get('grant_type') === 'client_credentials'
            ? null
            : 'another grant_type';
        };
        const tokenRequests = of(all, 'token');
        if (tokenRequests.length > 0 && !tokenRequests.some((exchange) => isAnswered(exchange)))
          return notShown('the token service gave no token');
        return each(tokenRequests, wrong, 'token request');
      },
    },
    {
      says: 'every call carries a bearer token, and says for which merchant it is by the token or by the VAT header',
      source: 'interface document 2, "Authentication"; document 4, section 1.12',
      kind: 'conduct',
      look({ all, profile, merchantVat }) {
        const name = headerNames(profile).merchantVat;
        const claimed = of(all, 'token').every(
          (exchange) =>
            new URLSearchParams(exchange.body ?? '').get('merchant_vat') === merchantVat,
        );
        const wrong = (exchange: ObservedExchange): string | null => {
          if (headerOf(exchange, 'authorization')?.startsWith('Bearer ') !== true)
            return 'no bearer token';
          const vat = headerOf(exchange, name);
          if (vat === null)
            return claimed ? null : `neither the token nor ${name} names the merchant`;
          return vat === merchantVat ? null : `${name} is ${vat}, not ${merchantVat}`;
        };
        return each(calls(all), wrong, 'call', ` for ${merchantVat}`);
      },
    },
    {
      says: 'no call is refused for its token or its headers',
      source: 'document 4, section 1.10',
      kind: 'outcome',
      look: ({ all }) =>
        each(
          calls(all),
          ({ answer }) => (answer?.status === 401 ? 'answered with 401' : null),
          'call',
          ', none answered with 401',
        ),
    },
  ],
};
