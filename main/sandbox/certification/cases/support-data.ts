/**
 * G 26: VAT number, store, point of sale, beacon, payment, time, error answer and correlation id
 * are kept for each fault.
 */
import { correlationHeader } from '../../../wallets/v10/v10-interfaces.ts';
import type { Rule, Seen } from '../case.ts';
import type { CaseDefinition } from '../case.ts';
import { broken, type Finding, notShown, holds } from '../finding.ts';
import { answeredField, type ObservedExchange, headerOf } from '../exchange.ts';
import type { LogEntry } from '../recording-log.ts';

const source = 'document 4, section 7.G';

const idInPath = /\/(payments|pointofsales|refunds|stores)\/([0-9a-f-]{36})/;

/**
 * Requests without an answer, and those that were refused. A token that has to be renewed (401) is
 * not a fault.
 */
const faults = (exchanges: readonly ObservedExchange[]): ObservedExchange[] =>
  exchanges.filter(
    ({ answer, operation, failure }) =>
      operation !== 'token' &&
      (answer === null ? failure !== null : answer.status >= 400 && answer.status !== 401),
  );

/** Whether a line of the log records this fault. */
function tells({ fields }: LogEntry, exchange: ObservedExchange, merchantVat: string): boolean {
  const { operation, answer, path } = exchange;
  const correlationId = answeredField(exchange, 'correlationId');
  return (
    fields['operation'] === operation &&
    fields['merchantVat'] === merchantVat &&
    (answer === null ? fields['why'] !== undefined : fields['status'] === answer.status) &&
    fields['correlationId'] === headerOf(exchange, correlationHeader) &&
    (correlationId === undefined ||
      fields['correlationId'] === correlationId ||
      fields['serviceCorrelationId'] === correlationId) &&
    (idInPath.exec(path) === null || Object.values(fields).includes(idInPath.exec(path)?.[2]))
  );
}

export const faultsStayInLog: readonly Rule[] = [
  {
    says:
      'for each fault the log holds the operation, what it was about (point of sale or payment), the VAT number, the error answer, ' +
      'and the correlation id of the call and of the answer; the log’s sink adds the time',
    source,
    kind: 'conduct',
    look({ all, log, merchantVat }: Seen): Finding {
      const met = faults(all);
      if (met.length === 0) return notShown('nothing failed');
      const lost = met.find(
        (exchange) => !log.some((entry) => tells(entry, exchange, merchantVat)),
      );
      return lost === undefined
        ? holds(`${met.length} faults, each in the log`, met)
        : broken(
            `nothing in the log tells of request ${lost.number} (${lost.operation}, ${lost.answer?.status ?? lost.failure})`,
            [lost],
          );
    },
  },
  {
    says: 'the log holds the store, the point of sale and its beacon',
    source,
    kind: 'outcome',
    look({ log, storeId }) {
      const line = log.find(
        ({ fields }) =>
          fields['storeId'] === storeId &&
          fields['posId'] !== undefined &&
          fields['beaconId'] !== undefined,
      );
      return line === undefined
        ? broken('no line holds all three')
        : holds(
            `store ${storeId}, point of sale ${String(line.fields['posId'])}, beacon ${String(line.fields['beaconId'])}`,
          );
    },
  },
];

export const supportData: CaseDefinition = {
  id: '26',
  title: 'Support data of each fault',
  rules: faultsStayInLog,
};
