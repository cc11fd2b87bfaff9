/**
 * The operator's integration checklist for the ePayment service (document 5, sections 1.3 and 6.3).
 */
import type { Case } from '../case.ts';
import { of } from '../checks.ts';
import {
  answeredField,
  type ObservedExchange,
  headerOf,
  isAnswered,
  sentField,
} from '../exchange.ts';
import { broken, each, notShown, holds } from '../finding.ts';
import {
  callbacks,
  completePayment,
  customerIsFaster,
  customerRefuses,
  nobodyActs,
  partialRefunds,
  tillCancels,
  unansweredCapture,
  unansweredCreate,
  unansweredRefund,
  wholeRefund,
} from './epayment-cases.ts';
import { atMost, type EpaymentCase, type OfSalesUnit, source } from './epayment-checks.ts';
import type { EpaymentHarness } from './epayment-harness.ts';

export const epaymentSections = {
  A: 'Access and headers',
  B: 'Payments',
  C: 'Refunds',
  D: 'Callbacks',
  E: 'Standing rules',
} as const;

/** Not the fetch of a code's picture, which is public and gets neither token nor headers. */
const isCall = ({ operation }: Pick<ObservedExchange, 'operation'>): boolean => operation !== '?';
const systemHeaders = [
  'Vipps-System-Name',
  'Vipps-System-Version',
  'Vipps-System-Plugin-Name',
  'Vipps-System-Plugin-Version',
] as const;

const headers: EpaymentCase = {
  id: '1',
  title: 'Every call says who calls, and for which sales unit',
  rules: [
    {
      says: 'every call carries the four system headers, of at most 30 characters, with the version that is certified',
      source: 'document 5, section 1.3',
      kind: 'conduct',
      look({ all, clientVersion }) {
        const wrong = (exchange: ObservedExchange): string | null => {
          for (const name of systemHeaders) {
            const value = headerOf(exchange, name);
            if (value === null || value.length === 0 || value.length > 30)
              return `${name} is ${value ?? 'missing'}`;
          }
          const version = headerOf(exchange, 'Vipps-System-Version');
          return version === clientVersion.slice(0, 30) ? null : `it says version ${version}`;
        };
        return each(all.filter(isCall), wrong, 'call', ` by version ${clientVersion}`);
      },
    },
    {
      says: 'every call names the sales unit and carries a subscription key',
      source: 'document 5, section 1.3',
      kind: 'conduct',
      look({ all, msn }) {
        const wrong = (exchange: ObservedExchange): string | null => {
          const serialNumber = headerOf(exchange, 'Merchant-Serial-Number');
          if (serialNumber !== msn) return `Merchant-Serial-Number is ${serialNumber ?? 'missing'}`;
          return headerOf(exchange, 'Ocp-Apim-Subscription-Key') === null
            ? 'no subscription key'
            : null;
        };
        return each(all.filter(isCall), wrong, 'call', ` for ${msn}`);
      },
    },
  ],
};

const token: EpaymentCase = {
  id: '2',
  title: 'One token for many calls',
  rules: [
    {
      says: 'a token is used for many calls, and fetched anew only when one is refused or at its end',
      source: 'document 5, section 1.2',
      kind: 'conduct',
      look({ all }) {
        const tokens = of(all, 'token');
        const refused = all.filter(
          (exchange) => exchange.operation !== 'token' && isAnswered(exchange, 401),
        );
        if (!tokens.some((exchange) => isAnswered(exchange)))
          return notShown('the service gave no token');
        return tokens.length <= 2 + refused.length
          ? holds(`${tokens.length} for ${all.length - tokens.length} calls`, tokens)
          : broken(`${tokens.length} were fetched`, tokens);
      },
    },
    {
      says: 'every call carries a bearer token',
      source: 'document 5, section 1.3',
      kind: 'conduct',
      look: ({ all }) =>
        each(
          all.filter((exchange) => isCall(exchange) && exchange.operation !== 'token'),
          (exchange) =>
            headerOf(exchange, 'authorization')?.startsWith('Bearer ') === true
              ? null
              : 'no bearer token',
          'call',
        ),
    },
  ],
};

const changes = /^(create|capture|cancel|refund)Epayment$/;
const referenceIn = (exchange: ObservedExchange): string | null => {
  const inBody = sentField(exchange, 'reference');
  return typeof inBody === 'string'
    ? inBody
    : (/\/payments\/([^/?]+)/.exec(exchange.path)?.[1] ?? null);
};

const pace: EpaymentCase = {
  id: '14',
  title: 'The limits of the service are kept',
  rules: [
    atMost(5, 'changes', (exchange) =>
      changes.test(exchange.operation) ? referenceIn(exchange) : null,
    ),
    atMost(120, 'reads', ({ operation, path }) =>
      operation === 'getEpayment' || operation === 'listEpaymentEvents' ? path : null,
    ),
    {
      says: 'nothing is answered with 429',
      source: 'document 5, section 2.11',
      kind: 'outcome',
      look: ({ all }) =>
        each(
          all,
          (exchange) => (isAnswered(exchange, 429) ? 'answered with 429' : null),
          'request',
          ', none with 429',
        ),
    },
  ],
};

const references: EpaymentCase = {
  id: '15',
  title: 'References say what they are of',
  rules: [
    {
      says: 'each reference has letters and a number, and none is used for two payments',
      source: 'document 5, section 2.2',
      kind: 'conduct',
      look({ all }) {
        const creates = of(all, 'createEpayment');
        const keys = new Map<string, Set<string | null>>();
        for (const exchange of creates) {
          const reference = referenceIn(exchange) ?? '';
          if (!/^(?=.*[a-z])(?=.*\d)[a-zA-Z0-9-]{8,64}$/i.test(reference))
            return broken(`${reference} says nothing`, [exchange]);
          keys.set(
            reference,
            (keys.get(reference) ?? new Set()).add(headerOf(exchange, 'Idempotency-Key')),
          );
        }
        if (creates.length === 0) return notShown('none was created');
        const twice = [...keys].find(([, used]) => used.size > 1);
        return twice === undefined
          ? holds([...keys.keys()].join(', '), creates)
          : broken(`${twice[0]} was asked for under two keys`, creates);
      },
    },
  ],
};

const errors: EpaymentCase = {
  id: '16',
  title: 'Errors are kept with what support asks for',
  rules: [
    {
      says: 'for each fault the log holds the operation, the sales unit, the answer or its absence, and the trace id that the answer names',
      source: 'document 5, section 2.10',
      kind: 'conduct',
      look({ all, log, msn }) {
        const faults = all.filter(
          ({ operation, answer, failure }) =>
            isCall({ operation }) &&
            operation !== 'token' &&
            (answer === null ? failure !== null : answer.status >= 400),
        );
        if (faults.length === 0) return notShown('nothing failed');
        const lost = faults.find((exchange) => {
          const trace = answeredField(exchange, 'traceId');
          return !log.some(
            ({ fields }) =>
              fields['operation'] === exchange.operation &&
              fields['msn'] === msn &&
              (exchange.answer === null
                ? fields['why'] !== undefined
                : fields['status'] === exchange.answer.status) &&
              (trace === undefined ||
                fields['serviceCorrelationId'] === trace ||
                fields['correlationId'] === trace),
          );
        });
        return lost === undefined
          ? holds(`${faults.length} faults`, faults)
          : broken(`nothing in the log tells of request ${lost.number}`, [lost]);
      },
    },
  ],
};

const people: EpaymentCase = {
  id: '17',
  title: 'What no program can see',
  rules: [],
  people: [
    'In this environment one order each ended AUTHORIZED, CAPTURED, REFUNDED and CANCELLED, and the portal shows them; the same is repeated in production.',
    'The keys of the sales unit lie only at the counter; partner keys lie at none (document 5, section 1.4).',
    'The name of the service and its marks are the provider’s present ones, in the order that the country has (document 5, section 6.4).',
    'Order details are sent where the provider monitors what is sold (document 5, section 2.4).',
    'The shop can be helped with its own system, and somebody reads the provider’s status page.',
    'A partner: this checklist as PDF and a video, with examples of this month, to the provider.',
  ],
};

const section = (
  section: keyof typeof epaymentSections,
  ...cases: readonly EpaymentCase[]
): Case<EpaymentHarness, OfSalesUnit>[] => cases.map((one) => ({ ...one, section, source }));

export const epaymentChecklist: readonly Case<EpaymentHarness, OfSalesUnit>[] = [
  ...section('A', headers, token),
  ...section(
    'B',
    completePayment,
    customerRefuses,
    tillCancels,
    customerIsFaster,
    nobodyActs,
    unansweredCreate,
    unansweredCapture,
  ),
  ...section('C', wholeRefund, partialRefunds, unansweredRefund),
  ...section('D', callbacks),
  ...section('E', pace, references, errors, people),
];
