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
  phase: 'the state in which it was ([money.md](money.md))',
  operation: 'of the wallet service (`main/wallets/v10/REFERENCE.md`)',
  error: '`refused` (4xx), `failed` (5xx), `unreadable` (not as declared) or `noAnswer`',
  currency: 'three letters',
  state: '`absent`, `busy`, `failed`, `open` or `connected`: 1 for what it is, 0 for all others',
  version: "Tillbeacon's",
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
    help: 'Payments that were decided. A reservation counts as held, and again by what becomes of it.',
    labels: ['lane', 'outcome'],
  },
  tillbeacon_refunds_total: {
    type: 'counter',
    help: 'Refunds that were decided.',
    labels: ['lane', 'outcome'],
  },
  tillbeacon_phase_seconds: {
    type: 'histogram',
    help: 'How long a payment or refund was in a state. What a restart found is counted from the restart on; a reservation that is held is not counted.',
    labels: ['kind', 'phase'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 180],
  },
  tillbeacon_polls_total: {
    type: 'counter',
    help: 'Questions to the service about a payment or refund under way.',
    labels: ['operation'],
  },
  tillbeacon_service_request_seconds: {
    type: 'histogram',
    help: 'Until a request to the wallet service was answered, or failed; each repetition by itself.',
    labels: ['operation'],
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
  },
  tillbeacon_service_errors_total: {
    type: 'counter',
    help: 'Requests to the wallet service that brought nothing usable.',
    labels: ['operation', 'error'],
  },
  tillbeacon_service_reachable: {
    type: 'gauge',
    help: '0 while the wallet service counts as away; 1 otherwise, also before it was asked.',
  },
  tillbeacon_unsettled: {
    type: 'gauge',
    help: 'Payments and refunds that are decided and that the service has not confirmed after the first attempt, as on the health page.',
    labels: ['lane'],
  },
  tillbeacon_unsettled_minor_units: {
    type: 'gauge',
    help: 'The money of these, in minor units (øre, cents).',
    labels: ['lane', 'currency'],
  },
  tillbeacon_unsettled_oldest_seconds: {
    type: 'gauge',
    help: 'Since the oldest of these was decided; 0: there is none.',
    labels: ['lane'],
  },
  tillbeacon_unsettled_needs_person: {
    type: 'gauge',
    help: 'Those of them that need attention by a person.',
    labels: ['lane'],
  },
  tillbeacon_till_link: { type: 'gauge', help: "The till's line.", labels: ['lane', 'state'] },
  tillbeacon_journal_bytes: { type: 'gauge', help: 'The journal with its write-ahead log.' },
  tillbeacon_disk_free_bytes: {
    type: 'gauge',
    help: 'Free for the daemon on the disk of the data folder; left out where that is not known.',
  },
  tillbeacon_clock_off_seconds: {
    type: 'gauge',
    help: "How far this computer's clock is ahead of the wallet service's, to the second; left out before the service has told the time.",
  },
  tillbeacon_event_loop_delay_seconds: {
    type: 'histogram',
    help: 'The longest wait for the event loop of each second, of ten that are timed.',
    buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  },
  tillbeacon_trace_spans_dropped_total: {
    type: 'counter',
    help: 'Spans that the collector of traces did not take in time.',
  },
  tillbeacon_update_waiting: {
    type: 'gauge',
    help: '1 while a newer version is there and waits until nothing is under way. Only where the daemon or the app updates itself.',
  },
  tillbeacon_update_failed: {
    type: 'gauge',
    help: '1 while the last update could not be brought or was taken back, or the list of updates has expired. Only where the daemon or the app updates itself.',
  },
  process_resident_memory_bytes: { type: 'gauge', help: 'Memory of the daemon.' },
  process_start_time_seconds: {
    type: 'gauge',
    help: 'When the daemon was started, in seconds since 1970.',
  },
} as const satisfies Record<`${'tillbeacon' | 'process'}_${string}`, Declaration>;
export type MetricName = keyof typeof declarations;
