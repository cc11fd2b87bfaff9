/**
 * Declares every metric: for what is served, for docs/metrics.md, and for the names in the
 * dashboard and the alert rules. No label names a customer, a payment or an amount, and each has
 * few values, so that no personal data leaves the counter and the number of series stays small.
 */
export const labels = {
  lane: 'the id of the lane in the settings',
  outcome:
    '`paid` or `refunded`, `held` (a reservation), or the reason why no money moved (`main/core/domain/reasons.ts`)',
  kind: '`payment` or `refund`',
  phase: 'the state of the payment or refund ([money.md](money.md))',
  operation: 'the operation of the wallet service (`main/wallets/v10/REFERENCE.md`)',
  error: '`refused` (4xx), `failed` (5xx), `unreadable` (not as declared) or `noAnswer`',
  currency: 'three letters',
  state:
    '`absent`, `busy`, `failed`, `open` or `connected`: 1 for the current state, 0 for all others',
  version: "Tillbeacon's version",
  node: "Node's version",
} as const;
export type Label = keyof typeof labels;

interface Declaration {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels?: readonly Label[];
  /** Upper bounds. */
  readonly buckets?: readonly number[];
}

export const declarations = {
  tillbeacon_info: { type: 'gauge', help: 'Always 1.', labels: ['version', 'node'] },
  tillbeacon_ready: { type: 'gauge', help: '1 while every lane takes payments, as /readyz says.' },
  tillbeacon_lane_takes_payments: {
    type: 'gauge',
    help: '1 while this lane takes payments.',
    labels: ['lane'],
  },
  tillbeacon_payments_total: {
    type: 'counter',
    help: 'Decided payments. A reservation counts as held, and again with its final outcome.',
    labels: ['lane', 'outcome'],
  },
  tillbeacon_refunds_total: {
    type: 'counter',
    help: 'Decided refunds.',
    labels: ['lane', 'outcome'],
  },
  tillbeacon_phase_seconds: {
    type: 'histogram',
    help: 'How long a payment or refund was in a state. After a restart the time begins at the restart. Held reservations are not measured.',
    labels: ['kind', 'phase'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 180],
  },
  tillbeacon_polls_total: {
    type: 'counter',
    help: 'Polls of the service about an open payment or refund.',
    labels: ['operation'],
  },
  tillbeacon_service_request_seconds: {
    type: 'histogram',
    help: 'Duration of a request to the wallet service until its answer or failure. Each retry is measured separately.',
    labels: ['operation'],
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
  },
  tillbeacon_service_errors_total: {
    type: 'counter',
    help: 'Requests to the wallet service without a usable answer.',
    labels: ['operation', 'error'],
  },
  tillbeacon_service_reachable: {
    type: 'gauge',
    help: '0 while the wallet service does not answer; 1 otherwise, also before the first request.',
  },
  tillbeacon_unsettled: {
    type: 'gauge',
    help: 'Decided payments and refunds that the service has not confirmed after the first attempt, as on the health page.',
    labels: ['lane'],
  },
  tillbeacon_unsettled_minor_units: {
    type: 'gauge',
    help: 'The sum of the unsettled payments and refunds, in minor units (øre, cents).',
    labels: ['lane', 'currency'],
  },
  tillbeacon_unsettled_oldest_seconds: {
    type: 'gauge',
    help: 'Age of the oldest unsettled payment or refund since its decision; 0 without any.',
    labels: ['lane'],
  },
  tillbeacon_unsettled_needs_person: {
    type: 'gauge',
    help: 'Unsettled payments and refunds that need a person.',
    labels: ['lane'],
  },
  tillbeacon_till_link: {
    type: 'gauge',
    help: "State of the till's line.",
    labels: ['lane', 'state'],
  },
  tillbeacon_journal_bytes: { type: 'gauge', help: 'The journal with its write-ahead log.' },
  tillbeacon_disk_free_bytes: {
    type: 'gauge',
    help: 'Free space for the daemon on the disk of the data folder; missing where it is unknown.',
  },
  tillbeacon_clock_off_seconds: {
    type: 'gauge',
    help: "How far this computer's clock is ahead of the wallet service's, to the second; missing before the first answer of the service.",
  },
  tillbeacon_event_loop_delay_seconds: {
    type: 'histogram',
    help: 'The maximum delay of the event loop in each second, from ten samples.',
    buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  },
  tillbeacon_trace_spans_dropped_total: {
    type: 'counter',
    help: 'Spans that were dropped because the collector of traces did not accept them in time.',
  },
  tillbeacon_update_waiting: {
    type: 'gauge',
    help: '1 while a newer version waits until no payment is open. Only where the daemon or the app updates itself.',
  },
  tillbeacon_update_failed: {
    type: 'gauge',
    help: '1 after the last update failed or was rolled back, or while the list of updates has expired. Only where the daemon or the app updates itself.',
  },
  process_resident_memory_bytes: { type: 'gauge', help: 'Memory of the daemon.' },
  process_start_time_seconds: {
    type: 'gauge',
    help: 'Start time of the daemon, in seconds since 1970.',
  },
} as const satisfies Record<`${'tillbeacon' | 'process'}_${string}`, Declaration>;
export type MetricName = keyof typeof declarations;
