import { html, nothing, type TemplateResult } from 'lit';
import { portFields } from '../../preload/procedures/setup-till-fields.ts';
import type { ScannerReport } from '../../preload/procedures/setup-ways.ts';
import type { SerialPortShown } from '../../preload/procedures/setup-till.ts';
import { choice } from '../ui/choice.ts';
import { icon } from '../ui/icons.ts';
import { notice } from '../ui/notice.ts';
import { progress } from '../ui/progress.ts';
import type { Language } from '../locales/i18n.ts';
import { setupTexts } from '../locales/setup.ts';
import { waysTexts } from '../locales/ways.ts';
import { closedPort } from './closed-port.ts';
import { portsChoice } from './ports-choice.ts';
import { fieldInputs } from './setup-field-form.ts';
import type { StepOptions } from './step-element.ts';
import type { WaysForm } from './ways-form.ts';

interface ScannerOptions {
  readonly language: Language;
  readonly laneId: string;
  /** The lanes in use. */
  readonly lanes: StepOptions['lanes'];
  readonly form: WaysForm;
  readonly problems: Readonly<Record<string, string>>;
  /** null until listed. */
  readonly ports: readonly SerialPortShown[] | null;
  /** null when the port is not being listened to. */
  readonly heard: ScannerReport | null;
  /** Name of the lane that listens to the scanner already; null when none does. */
  readonly usedBy: string | null;
  readonly set: (change: Partial<WaysForm>) => void;
  readonly onEnter: () => void;
}

/** The choice of a scanner and its serial port, and what was read with it. */
export function scannerPart(options: ScannerOptions): TemplateResult {
  const { language, form, set } = options;
  const { scanner, scanners } = waysTexts[language];
  return html`${choice({
    id: 'scanner',
    legend: scanner,
    value: form.scanner,
    options: [
      { value: 'keyboard', ...scanners.keyboard, picture: icon('edit') },
      { value: 'serial', ...scanners.serial, picture: icon('usb') },
    ],
    onChange: (chosen) => set({ scanner: chosen }),
  })}
  ${form.scanner === 'serial' ? atPort(options) : nothing}`;
}

function atPort(options: ScannerOptions): TemplateResult {
  const { language, laneId, lanes, ports, form, problems, set, onEnter } = options;
  const { fields } = setupTexts[language];
  return html`${portsChoice({
    language,
    ports,
    form,
    problems,
    lanes,
    isOthers: (port) =>
      port.laneId !== null && (port.laneId !== laneId || port.device !== 'scanner'),
    onChange: set,
    onEnter,
  })}
  <div class="two">
    ${fieldInputs({ fields: portFields, form, texts: fields, problems, set, onEnter })('baudRate', waysTexts[language].baudHint)}
  </div>
  ${scannerResult(options)}`;
}

function scannerResult({
  language,
  heard,
  usedBy,
}: ScannerOptions): TemplateResult | typeof nothing {
  const what =
    usedBy !== null
      ? notice({ kind: 'info', body: waysTexts[language].inUse({ lane: usedBy }) })
      : heard === null
        ? null
        : scannerNotice(heard, language);
  return what === null
    ? nothing
    : html`<div data-testid="scanner-heard" data-heard=${heard?.read?.what ?? heard?.state ?? 'used'}>${what}</div>`;
}

function scannerNotice(
  { state, problem, claimer, detail, read }: ScannerReport,
  language: Language,
): TemplateResult {
  const { heard } = setupTexts[language];
  const texts = waysTexts[language];
  if (state === 'opening')
    return detail === null
      ? progress({ language, label: heard.opening, fraction: null })
      : closedPort({ language, problem, claimer, detail, isSerial: true });
  if (read === null)
    return progress({ language, label: texts.scan, detail: texts.scanNext, fraction: null });
  if (read.what === 'garbled')
    return notice({ kind: 'warning', title: texts.garbled, body: texts.garbledNext });
  const kind = read.what === 'customer' ? 'success' : 'info';
  return notice({
    kind,
    title: texts.read({ code: read.masked }),
    body: texts.reads[read.what]({ count: String(read.characters) }),
  });
}
