import type { Health, HealthState, UpdateRow } from '../../../preload/procedures/health.ts';
import {
  formatBytes,
  formatDateTime,
  formatMinutes,
  formatMoney,
  formatTime,
  type Language,
} from '../../locales/i18n.ts';
import type { ManagerTexts } from '../../locales/manager.ts';
import type { ScreenTexts } from '../../locales/screens.ts';
import { unsettledText } from '../../unsettled-text.ts';
import { type Command, commandOfClaimer, commandsToStart } from '../../ui/commands.ts';
import type { FrameTexts } from '../../locales/frame.ts';

export interface HealthRow {
  /** The name that tests use. */
  readonly code: string;
  readonly state: HealthState;
  readonly what: string;
  /** What to do; empty: nothing. */
  readonly next: string;
  /** What to type for that, in a terminal of this computer. */
  readonly commands: readonly Command[];
  /** The original message, for support. */
  readonly detail: string | null;
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** When the damage was found that a manager may acknowledge; null when there is none. */
  readonly toNoteMs: number | null;
}

export interface HealthPart {
  readonly title: string;
  readonly rows: readonly HealthRow[];
}

const recentMs = 120_000;

export interface HealthTexts {
  readonly words: ManagerTexts['health'];
  readonly texts: ScreenTexts;
  readonly frame: FrameTexts;
}

/** The health of a counter in words: money first, then connections, disk and software. */
export function healthRows(
  health: Health,
  { words, texts, frame }: HealthTexts,
  language: Language,
): HealthPart[] {
  const { parts, fact } = words;
  const at = (ms: number | null, otherwise: string): string =>
    ms === null ? otherwise : formatDateTime(language, ms);
  const bytes = (count: number): string => formatBytes(language, count);

  const money = health.unsettled.map(({ state, laneName, money: one }) => {
    return plain(
      'unsettled',
      state,
      `${laneName}: ${formatMoney(language, one)}`,
      unsettledText(language, one, health.atMs),
    );
  });

  const { service, credentials, clock, disk, journal, software } = health;
  const agoOrAt = (ms: number | null): string => {
    const agoMs = ms === null ? null : health.atMs - ms;
    const isRecent = agoMs !== null && agoMs >= 0 && agoMs < recentMs;
    return isRecent
      ? words.secondsAgo({ seconds: Math.round(agoMs / 1000) })
      : at(ms, words.notYet);
  };
  // A service that answers is asked each minute: the seconds tell how new that is.
  const lastAnswer = agoOrAt(service.lastAnswerMs);
  const outage = ({ fromMs, untilMs }: Health['service']['outages'][number]): string =>
    words.span({
      from: formatDateTime(language, fromMs),
      until: untilMs === null ? words.lasts : formatTime(language, untilMs),
    });
  const lastOutage = service.outages.at(-1);
  const ofService = service.code === 'notSetUp' ? texts.notSetUp : words.service[service.code];
  const serviceRows = [
    {
      ...plain(
        'service',
        service.state,
        ofService.what,
        [ofService.next, service.kind === 'real' ? '' : texts.service[service.kind]]
          .join(' ')
          .trim(),
      ),
      detail: service.detail,
      facts: [
        ...(service.sinceMs === null ? [] : [[fact.since, at(service.sinceMs, '')] as const]),
        [fact.lastAnswer, lastAnswer] as const,
        ...(lastOutage === undefined
          ? []
          : [
              [fact.outages, String(service.outages.length)] as const,
              [fact.lastOutage, outage(lastOutage)] as const,
            ]),
      ],
    },
    {
      ...plain(
        'credentials',
        credentials.state,
        words.credentials[credentials.code].what,
        words.credentials[credentials.code].next,
      ),
      detail: credentials.detail,
    },
    ...(clock === undefined ? [] : [clockRow(clock, words, language)]),
  ];

  const laneRows = health.lanes.flatMap((lane) => {
    const laneWords =
      lane.code === 'open' ? { what: words.laneOpen, next: '' } : texts.notReady[lane.code];
    const till = health.tills.find(({ laneId }) => laneId === lane.laneId);
    const laneRow = {
      ...plain('lane', lane.state, `${lane.laneName}: ${laneWords.what}`, laneWords.next),
      detail: lane.detail,
    };
    if (till === undefined) return [laneRow];
    const tillWords =
      till.claimer === undefined ? words.till[till.code] : texts.portClaimed[till.claimer];
    // A till in the network connects when it needs to; a till on a cable should be there.
    const tillText = till.code === 'open' && till.state === 'ok' ? words.tillReady : tillWords.what;
    const facts = [
      // A till that is a program calls this computer: its lane has no address of its own.
      ...(till.address.startsWith('http:') ? [] : [[fact.address, till.address] as const]),
      [fact.since, at(till.sinceMs, '')] as const,
      ...(till.heardAtMs === null ? [] : [[fact.lastHeard, agoOrAt(till.heardAtMs)] as const]),
    ];
    return [
      laneRow,
      {
        ...plain(
          'till',
          till.state,
          `${lane.laneName}: ${tillText}`,
          till.state === 'ok' ? '' : tillWords.next,
        ),
        commands: till.claimer === undefined ? [] : [commandOfClaimer(till.claimer)],
        detail: till.detail,
        facts,
      },
    ];
  });

  const storageRows = [
    {
      ...plain('disk', disk.state, words.disk[disk.code].what, words.disk[disk.code].next),
      facts:
        disk.freeBytes === null || disk.totalBytes === null
          ? []
          : [
              [
                fact.free,
                words.of({ part: bytes(disk.freeBytes), whole: bytes(disk.totalBytes) }),
              ] as const,
            ],
    },
    {
      ...plain(
        'journal',
        journal.state,
        words.journal[journal.code].what,
        words.journal[journal.code].next,
      ),
      detail: journal.detail,
      toNoteMs:
        journal.code === 'repaired' || journal.code === 'salesLost' ? journal.damagedMs : null,
      facts: [
        [fact.size, bytes(journal.bytes)] as const,
        [fact.reserve, journal.reserve ? words.yes : words.no] as const,
        [fact.checked, at(journal.checkedMs, words.notYet)] as const,
        ...(journal.damagedMs === null ? [] : [[fact.damaged, at(journal.damagedMs, '')] as const]),
        ...(journal.lostSales === 0 ? [] : [[fact.lostSales, String(journal.lostSales)] as const]),
      ],
    },
  ];

  const softwareRow = {
    ...plain('software', software.state, words.running, ''),
    facts: [
      [fact.version, software.version] as const,
      [fact.started, at(software.startedMs, '')] as const,
      [fact.memory, bytes(software.memoryBytes)] as const,
      [fact.platform, software.platform] as const,
      [fact.node, software.node] as const,
      ...(software.electron === null ? [] : [[fact.electron, software.electron] as const]),
    ],
  };

  const { starts } = health;
  const { nothing: nothingStarts, ...startsWith } = frame.starts;
  const startsRows =
    starts === undefined
      ? []
      : starts.with !== 'nothing'
        ? [plain('starts', starts.state, startsWith[starts.with], '')]
        : [
            {
              ...plain('starts', starts.state, nothingStarts.title, nothingStarts[starts.system]),
              commands: commandsToStart(starts.system, frame),
            },
          ];

  const { update, appUpdate } = health;
  const updateRow = (
    name: 'update' | 'appUpdate',
    { state, code, version, detail }: UpdateRow,
  ): HealthRow => ({
    // Beside the app, both say whose update it is.
    ...plain(
      name,
      state,
      appUpdate === undefined
        ? words.update[code].what
        : `${words.updateOf[name]}: ${words.update[code].what}`,
      words.update[code].next,
    ),
    detail,
    facts: version === null ? [] : [[fact.version, version]],
  });
  const updateRows = [
    ...(update === undefined ? [] : [updateRow('update', update)]),
    ...(appUpdate === undefined ? [] : [updateRow('appUpdate', appUpdate)]),
  ];

  const noticeRows = health.notices.map(({ code, state, subject, detail, count, lastMs }) => ({
    ...plain(code, state, words.notices[code].what, words.notices[code].next),
    // What is told of such a file is the command that closes it.
    ...(code === 'fileReadable' && detail !== null
      ? { commands: [{ id: code, command: detail }] }
      : { detail }),
    facts: [
      [fact.about, subject] as const,
      [fact.times, String(count)] as const,
      [fact.lastTime, at(lastMs, '')] as const,
    ],
  }));

  return [
    {
      title: texts.unsettledMoney,
      rows: money.length > 0 ? money : [plain('settled', 'ok', words.nothingUnsettled, '')],
    },
    { title: parts.service, rows: serviceRows },
    ...(noticeRows.length > 0 ? [{ title: parts.notices, rows: noticeRows }] : []),
    ...(laneRows.length > 0 ? [{ title: parts.lanes, rows: laneRows }] : []),
    { title: parts.storage, rows: storageRows },
    { title: parts.software, rows: [softwareRow, ...startsRows, ...updateRows] },
  ];
}

function clockRow(
  { state, code, seconds }: NonNullable<Health['clock']>,
  { clock: words }: ManagerTexts['health'],
  language: Language,
): HealthRow {
  if (code === 'wrong' || seconds === null)
    return plain('clock', state, words.wrong, words.wrongNext);
  return plain('clock', state, words[code]({ by: formatMinutes(language, seconds) }), words.next);
}

function plain(code: string, state: HealthState, what: string, next: string): HealthRow {
  return { code, state, what, next, commands: [], detail: null, facts: [], toNoteMs: null };
}
