import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyToRefund,
  ImpossibleEventError,
  replayRefund,
} from '../../../../main/core/settlement/apply.ts';
import { beginRefund, decideRefund } from '../../../../main/core/settlement/refund-decisions.ts';
import { isFinal, isWaitedFor, refundOutcomeOf } from '../../../../main/core/settlement/outcome.ts';
import type {
  Refund,
  RefundDecision,
  RefundEvent,
  RefundInput,
  RefundRequest,
} from '../../../../main/core/settlement/refund.ts';
import { retryDelayMs } from '../../../../main/core/settlement/retry.ts';
import type { SettleAnswer } from '../../../../main/core/settlement/settlement.ts';
import { capabilities, refundId, refundRequest as request } from './support.ts';

const byManager: RefundRequest = {
  ...request,
  by: { kind: 'manager', name: 'Anna' },
  note: 'broken',
};

const settleAnswers: readonly SettleAnswer[] = [
  { kind: 'done' },
  { kind: 'accepted' },
  { kind: 'refused', detail: 'no' },
  { kind: 'notFound' },
  { kind: 'unknown', detail: 'silence' },
];
/** Every possible input by a name. */
const inputs: Readonly<Record<string, RefundInput>> = {
  created: { type: 'createAnswered', answer: { kind: 'created', refundId } },
  refused: { type: 'createAnswered', answer: { kind: 'refused', reason: 'balanceTooLow' } },
  createUnknown: { type: 'createAnswered', answer: { kind: 'unknown', detail: 'silence' } },
  found: { type: 'lookedUp', found: { refundId } },
  notThere: { type: 'lookedUp', found: null },
  lookUpFailed: { type: 'lookUpFailed', detail: 'silence' },
  ...Object.fromEntries(
    (
      [
        'initiated',
        'reserved',
        'captured',
        'cancelledByClient',
        'cancelledByService',
        'unknown',
      ] as const
    ).flatMap((status) => [
      [`polled ${status}`, { type: 'polled', status } as const],
      [`confirming polled ${status}`, { type: 'polled', status, confirms: true } as const],
    ]),
  ),
  pollNotFound: { type: 'pollNotFound' },
  pollFailed: { type: 'pollFailed', detail: 'silence' },
  'confirming pollNotFound': { type: 'pollNotFound', confirms: true },
  'confirming pollFailed': { type: 'pollFailed', detail: 'silence', confirms: true },
  ...Object.fromEntries(
    (['cancelledByTill', 'cancelledByManager', 'timedOut', 'tillGone', 'interrupted'] as const).map(
      (reason) => [`stop ${reason}`, { type: 'stopRequested', reason } as const],
    ),
  ),
  acknowledged: { type: 'tillAnswered', acknowledged: true },
  notAcknowledged: { type: 'tillAnswered', acknowledged: false },
  ...Object.fromEntries(
    settleAnswers.map((answer) => [
      `capture ${answer.kind}`,
      { type: 'captureAnswered', answer } as const,
    ]),
  ),
  ...Object.fromEntries(
    settleAnswers.map((answer) => [
      `cancel ${answer.kind}`,
      { type: 'cancelAnswered', answer } as const,
    ]),
  ),
  retryDue: { type: 'retryDue' },
  restarted: { type: 'restarted' },
};
const input = (name: string): RefundInput => {
  const named = inputs[name];
  if (named === undefined) throw new Error(name);
  return named;
};

/** A decision in one line: events → effects. */
function words({ events, effects }: RefundDecision, before: Refund | null): string {
  const outcome = refundOutcomeOf(
    events.reduce<Refund | null>((refund, event) => applyToRefund(refund, event), before) as Refund,
  );
  const event = (one: RefundEvent): string =>
    'reason' in one
      ? `${one.type}(${one.reason})`
      : 'problem' in one
        ? `${one.type}(${one.problem})`
        : one.type;
  const effect = (one: RefundDecision['effects'][number]): string => {
    if (one.type === 'conclude')
      return outcome?.refunded === false
        ? `say ${outcome.reason}`
        : `say ${outcome === null ? 'nothing' : 'refunded'}`;
    if (one.type === 'poll' && one.confirms) return 'confirming poll';
    return one.type === 'wait' ? `wait ${one.delayMs}` : one.type;
  };
  return `${events.map(event).join(', ')} → ${effects.map(effect).join(', ')}`;
}

/** Applies the inputs with these names, one after another. */
function tell(
  names: readonly string[],
  about = request,
): { refund: Refund; events: RefundEvent[]; last: RefundDecision } {
  let last = beginRefund(about);
  const events = [...last.events];
  for (const name of names) {
    last = decideRefund(replayRefund(events), input(name), capabilities);
    events.push(...last.events);
  }
  return { refund: replayRefund(events), events, last };
}

const stopped = (...next: string[]): Record<string, string> =>
  Object.fromEntries(
    ['cancelledByTill', 'cancelledByManager', 'timedOut', 'tillGone', 'interrupted'].map(
      (reason) => [
        `stop ${reason}`,
        `cancelIntended(${reason}) → ${[`say ${reason}`, ...next].join(', ')}`,
      ],
    ),
  );
const whileAwaiting = {
  'polled initiated': ' → poll',
  'polled unknown': ' → poll',
  'polled captured': 'personNeeded(paidOutUnasked) → say unclear',
  'polled cancelledByClient': 'ended(cancelledByService) → say cancelledByService',
  'polled cancelledByService': 'ended(cancelledByService) → say cancelledByService',
  pollFailed: ' → poll',
  pollNotFound: 'cancelIntended(refusedByService) → say refusedByService, cancel',
  ...stopped('cancel'),
  restarted: 'cancelIntended(interrupted) → say interrupted, cancel',
};

/**
 * The service has accepted a change and does not show it. Any other poll means the same, whether it
 * was to confirm something or not.
 */
const notConfirmed = Object.fromEntries(
  ['polled initiated', 'polled reserved', 'polled unknown', 'pollNotFound', 'pollFailed'].map(
    (name) => [`confirming ${name}`, 'attemptFailed → wait 500'],
  ),
);

/** What each state does about each input. An input that is not named does nothing. */
const table: readonly (readonly [
  state: string,
  story: readonly string[],
  about: RefundRequest,
  Readonly<Record<string, string>>,
])[] = [
  [
    'creating',
    [],
    request,
    {
      created: 'created → poll',
      refused: 'ended(balanceTooLow) → say balanceTooLow',
      createUnknown: 'createUnknown → lookUp',
      ...stopped(),
      restarted: 'cancelIntended(interrupted) → say interrupted, identify',
    },
  ],
  [
    'resolving',
    ['createUnknown'],
    request,
    {
      found: 'created → poll',
      notThere: 'cancelIntended(serviceUnreachable) → say serviceUnreachable, wait 500',
      lookUpFailed: 'cancelIntended(serviceUnreachable) → say serviceUnreachable, wait 500',
      ...stopped(),
      restarted: 'cancelIntended(interrupted) → say interrupted, identify',
    },
  ],
  [
    'awaiting',
    ['created'],
    request,
    { ...whileAwaiting, 'polled reserved': 'captureIntended → offer' },
  ],
  [
    'awaiting, for a manager',
    ['created'],
    byManager,
    { ...whileAwaiting, 'polled reserved': 'captureIntended → say refunded, capture' },
  ],
  [
    'offering',
    ['created', 'polled reserved'],
    request,
    {
      acknowledged: 'tillAcknowledged → say refunded, capture',
      notAcknowledged: 'cancelIntended(notDelivered) → say notDelivered, cancel',
      restarted: 'cancelIntended(interrupted) → say interrupted, cancel',
    },
  ],
  ...(['of a till', 'of a manager'] as const).map(
    (whose) =>
      [
        `capturing, ${whose}`,
        whose === 'of a till'
          ? ['created', 'polled reserved', 'acknowledged']
          : ['created', 'polled reserved'],
        whose === 'of a till' ? request : byManager,
        {
          'capture done': 'captured → ',
          'capture accepted': ' → confirming poll',
          'capture refused': 'attemptFailed → poll',
          'capture notFound': 'attemptFailed → poll',
          'capture unknown': 'attemptFailed → wait 500',
          'polled initiated': ' → wait 500',
          'polled reserved': ' → wait 500',
          'polled unknown': ' → wait 500',
          'polled captured': 'captured → ',
          'polled cancelledByClient': 'personNeeded(refundLost) → ',
          'polled cancelledByService': 'personNeeded(refundLost) → ',
          pollNotFound: 'personNeeded(refundLost) → ',
          pollFailed: ' → wait 500',
          ...notConfirmed,
          retryDue: ' → capture',
          restarted: ' → capture',
        },
      ] as const,
  ),
  [
    'cancelling',
    ['created', 'stop tillGone'],
    request,
    {
      'cancel done': 'ended(tillGone) → ',
      'cancel accepted': ' → confirming poll',
      'cancel refused': 'attemptFailed → poll',
      'cancel notFound': 'ended(tillGone) → ',
      'cancel unknown': 'attemptFailed → wait 500',
      'polled initiated': ' → wait 500',
      'polled reserved': ' → wait 500',
      'polled unknown': ' → wait 500',
      'polled captured': 'personNeeded(paidOutUnasked) → ',
      'polled cancelledByClient': 'ended(tillGone) → ',
      'polled cancelledByService': 'ended(tillGone) → ',
      pollNotFound: 'ended(tillGone) → ',
      pollFailed: 'attemptFailed → wait 500',
      ...notConfirmed,
      retryDue: ' → cancel',
      restarted: ' → cancel',
    },
  ],
  [
    'cancelling, unidentified',
    ['stop timedOut'],
    request,
    {
      created: 'created → cancel',
      refused: 'ended(timedOut) → ',
      createUnknown: 'createUnknown → identify',
      found: 'created → cancel',
      notThere: 'attemptFailed → wait 500',
      lookUpFailed: 'attemptFailed → wait 500',
      retryDue: ' → identify',
      restarted: ' → identify',
    },
  ],
  ['refunded', ['created', 'polled reserved', 'acknowledged', 'capture done'], request, {}],
  ['notRefunded', ['refused'], request, { found: 'foundLate → cancel' }],
  ['notRefunded, found late', ['refused', 'found', 'cancel done'], request, {}],
  ['needsPerson', ['created', 'polled captured'], request, {}],
];

describe.each(table)('a refund that is %s', (state, story, about, answers) => {
  const { refund } = tell(story, about);

  test('is that', () => {
    expect(refund.kind).toBe(state.split(',')[0]);
  });

  test.each(Object.keys(inputs))('%s', (name) => {
    expect(words(decideRefund(refund, input(name), capabilities), refund)).toBe(
      answers[name] ?? answers[name.replace('confirming ', '')] ?? ' → ',
    );
  });
});

describe('a refund', () => {
  test('is on disk before the request leaves', () => {
    expect(words(beginRefund(request), null)).toBe('refundRequested → create');
  });

  test('is waited for until it is decided, and final once the service agrees or never will', () => {
    const facts = table.map(([state, story, about]) => {
      const { refund } = tell(story, about);
      return [state, isWaitedFor(refund), isFinal(refund), refundOutcomeOf(refund)];
    });
    expect(facts).toEqual([
      ['creating', true, false, null],
      ['resolving', true, false, null],
      ['awaiting', true, false, null],
      ['awaiting, for a manager', true, false, null],
      ['offering', true, false, null],
      ['capturing, of a till', false, false, { refunded: true }],
      ['capturing, of a manager', false, false, { refunded: true }],
      ['cancelling', false, false, { refunded: false, reason: 'tillGone' }],
      ['cancelling, unidentified', false, false, { refunded: false, reason: 'timedOut' }],
      ['refunded', false, true, { refunded: true }],
      ['notRefunded', false, true, { refunded: false, reason: 'balanceTooLow' }],
      ['notRefunded, found late', false, true, { refunded: false, reason: 'balanceTooLow' }],
      ['needsPerson', false, true, { refunded: false, reason: 'unclear' }],
    ]);
  });

  test('that was told and then lost stays told', () => {
    const { refund } = tell([
      'created',
      'polled reserved',
      'acknowledged',
      'capture refused',
      'polled cancelledByService',
    ]);
    expect(refund).toMatchObject({ kind: 'needsPerson', problem: 'refundLost', toldDone: true });
    expect(refundOutcomeOf(refund)).toEqual({ refunded: true });
  });

  test('that is not confirmed is asked for again with growing pauses, never so long that the service would decide', () => {
    const pauses = Array.from({ length: 12 }, (_, failures) => {
      const story = [
        'created',
        'stop tillGone',
        ...Array.from({ length: failures }, () => ['cancel unknown', 'retryDue']).flat(),
        'cancel unknown',
      ];
      return tell(story).last.effects[0];
    });
    expect(pauses).toEqual(
      Array.from({ length: 12 }, (_, failures) => ({
        type: 'wait',
        delayMs: retryDelayMs(failures + 1, capabilities),
      })),
    );
    expect(retryDelayMs(1_000, capabilities)).toBe(300_000);
  });

  test('whose journal tells what cannot be is refused', () => {
    const events = tell(['created', 'stop tillGone']).events;
    for (const impossible of ['captureIntended', 'tillAcknowledged', 'captured'] as const)
      expect(() => replayRefund([...events, { type: impossible }])).toThrow(ImpossibleEventError);
    expect(() => replayRefund([])).toThrow(
      'a payment or refund that is not begun cannot have nothing happen to it',
    );
    expect(() => applyToRefund(null, { type: 'captured' })).toThrow(ImpossibleEventError);
    expect(() => replayRefund([...events, ...events])).toThrow(ImpossibleEventError);
  });
});

/** The inputs that may answer an effect. Other effects have no answer. */
const answersTo: Readonly<
  Partial<Record<RefundDecision['effects'][number]['type'], readonly string[]>>
> = {
  create: ['created', 'refused', 'createUnknown'],
  lookUp: ['found', 'notThere', 'lookUpFailed'],
  identify: ['found', 'notThere', 'lookUpFailed'],
  poll: Object.keys(inputs).filter((name) => /^(confirming )?poll/.test(name)),
  offer: ['acknowledged', 'notAcknowledged'],
  conclude: [],
  capture: settleAnswers.map(({ kind }) => `capture ${kind}`),
  cancel: settleAnswers.map(({ kind }) => `cancel ${kind}`),
  wait: ['retryDue'],
};
const outside = Object.keys(inputs).filter((name) => name.startsWith('stop'));
const seldom = { weight: 1, arbitrary: fc.constant('restarted') };

describe('whatever happens, in whatever order', () => {
  test('only what was decided on disk is done, one thing at a time, and the outcome is told once', () => {
    const steps = fc.array(
      fc.tuple(
        fc.oneof(
          seldom,
          { weight: 2, arbitrary: fc.constantFrom(...outside) },
          { weight: 12, arbitrary: fc.constant('answer') },
        ),
        fc.nat(),
        fc.nat(),
      ),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, fc.constantFrom(request, byManager), (taken, about) => {
        const begun = beginRefund(about);
        const onDisk: RefundEvent[] = [...begun.events];
        let pending: RefundDecision['effects'][number][] = [...begun.effects];
        let told = 0;
        for (const [what, which, how] of taken) {
          const refund = replayRefund(onDisk);
          let name = what;
          if (what === 'restarted') pending = [];
          if (what === 'answer') {
            const effect = pending[which % pending.length];
            if (effect === undefined) continue;
            pending = pending.filter((one) => one !== effect);
            const answers = answersTo[effect.type] ?? [];
            name = answers[how % answers.length] as string;
          }
          const { events, effects } = decideRefund(refund, input(name), capabilities);
          onDisk.push(...events);
          const decided = (type: RefundEvent['type']): boolean =>
            onDisk.some((event) => event.type === type);
          for (const effect of effects) {
            if (effect.type === 'capture')
              expect(decided('captureIntended') && !decided('cancelIntended')).toBe(true);
            if (effect.type === 'capture' && about.by.kind === 'till')
              expect(decided('tillAcknowledged')).toBe(true);
            if (effect.type === 'cancel')
              expect(
                decided('cancelIntended') && !decided('tillAcknowledged') && !decided('captured'),
              ).toBe(true);
            // A request that is repeated by its key may create the refund, so it is cancelled
            // whatever comes between.
            if (effect.type === 'identify') expect(decided('cancelIntended')).toBe(true);
            if (effect.type === 'offer')
              expect(about.by.kind === 'till' && decided('captureIntended')).toBe(true);
            if (effect.type !== 'conclude') continue;
            told += 1;
            if (refundOutcomeOf(replayRefund(onDisk))?.refunded === true)
              expect(decided('captureIntended') && !decided('cancelIntended')).toBe(true);
          }
          // As in the run, a new poll and a cancellation drop the poll under way.
          if (effects.some(({ type }) => type === 'poll' || type === 'cancel'))
            pending = pending.filter(({ type }) => type !== 'poll');
          pending.push(...effects.filter(({ type }) => type !== 'conclude'));
          expect(pending.length).toBeLessThanOrEqual(1);
          const after = replayRefund(onDisk);
          expect(pending.length > 0).toBe(!isFinal(after));
          const before = refundOutcomeOf(refund);
          if (before !== null) expect(refundOutcomeOf(after)?.refunded).toBe(before.refunded);
        }
        expect(told).toBe(refundOutcomeOf(replayRefund(onDisk)) === null ? 0 : 1);
      }),
      { numRuns: 1_500 },
    );
  });

  test('no input at all leads to an impossible event, and what the journal holds leads to the same state', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...Object.keys(inputs)), { maxLength: 30 }),
        fc.constantFrom(request, byManager),
        (names, about) => {
          const result = tell(names, about);
          expect(replayRefund(JSON.parse(JSON.stringify(result.events)) as RefundEvent[])).toEqual(
            result.refund,
          );
        },
      ),
      { numRuns: 500 },
    );
  });
});
