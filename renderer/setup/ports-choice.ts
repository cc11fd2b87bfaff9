import { html, nothing, type TemplateResult } from 'lit';
import type { SerialPortShown } from '../../preload/procedures/setup-till.ts';
import { choice } from '../ui/choice.ts';
import { field } from '../ui/field.ts';
import { icon } from '../ui/icons.ts';
import { progress } from '../ui/progress.ts';
import type { Language } from '../locales/i18n.ts';
import { setupTexts, type SetupTexts } from '../locales/setup.ts';
import { isBoundToSocket } from './port-name.ts';
import type { StepOptions } from './step-element.ts';
import { laneName } from './step-order.ts';

/** The part of a form that names a serial port. */
export interface PortForm {
  /** `otherPort` when the path is typed in `otherPath`; null when no port is picked. */
  path: string | null;
  otherPath: string;
}

export const otherPort = 'other';

interface PortsOptions {
  readonly language: Language;
  /** null until listed. */
  readonly ports: readonly SerialPortShown[] | null;
  readonly form: PortForm;
  readonly problems: Readonly<Record<string, string>>;
  /** The lanes in use. */
  readonly lanes: StepOptions['lanes'];
  /** Whether another device uses the port. */
  readonly isOthers: (port: SerialPortShown) => boolean;
  readonly onChange: (change: Partial<PortForm>) => void;
  readonly onEnter: () => void;
}

/** The choice among the serial ports of this computer, and a field for another path. */
export function portsChoice({
  language,
  ports,
  form,
  problems,
  lanes,
  isOthers,
  onChange,
  onEnter,
}: PortsOptions): TemplateResult {
  const { till } = setupTexts[language];
  if (ports === null) return progress({ language, label: till.ports, fraction: null });
  const isListed = ports.some(({ path }) => path === form.path);
  return html`${choice({
    id: 'ports',
    legend: till.ports,
    hint: till.portsHint,
    value: isListed || form.path === null ? form.path : otherPort,
    problem: problems['ports'] ?? null,
    options: [
      ...ports.map((port) => ({
        value: port.path,
        title: port.manufacturer ?? port.name,
        note: noteOf(port, isOthers(port) ? laneName(lanes, port.laneId) : null, till),
        picture: icon(port.justPluggedIn ? 'check' : 'cable'),
        disabled: isOthers(port),
      })),
      { value: otherPort, title: till.otherPort, note: till.otherPortNote },
    ],
    onChange: (path) => onChange({ path: path === otherPort ? form.otherPath || otherPort : path }),
  })}
  ${
    form.path !== null && !isListed
      ? field({
          id: 'otherPath',
          label: till.path,
          hint: till.pathHint,
          value: form.otherPath,
          problem: problems['otherPath'] ?? null,
          onInput: (otherPath) => onChange({ otherPath, path: otherPath || otherPort }),
          onEnter,
        })
      : nothing
  }`;
}

/** How the till is connected. */
export function transportChoice(
  language: Language,
  value: 'serial' | 'tcp' | 'http',
  onChange: (transport: 'serial' | 'tcp' | 'http') => void,
): TemplateResult {
  const { till } = setupTexts[language];
  const { serial, tcp, http } = till.transports;
  return choice({
    id: 'transport',
    legend: till.transport,
    value,
    options: [
      { value: 'serial', title: serial, note: till.serialNote, picture: icon('usb') },
      { value: 'tcp', title: tcp, note: till.tcpNote, picture: icon('network') },
      { value: 'http', title: http, note: till.httpNote, picture: icon('globe') },
    ],
    onChange,
  });
}

function noteOf(
  { path, name, manufacturer, serialNumber, justPluggedIn }: SerialPortShown,
  owner: string | null,
  till: SetupTexts['till'],
): string {
  return [
    justPluggedIn ? till.justPluggedIn : null,
    serialNumber === null ? null : till.serialNumber({ number: serialNumber }),
    manufacturer === null ? null : name,
    isBoundToSocket(path) ? till.onlyThisSocket : null,
    owner === null ? null : till.usedBy({ lane: owner }),
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

/**
 * The port to pick without a click: one that was just plugged in, or in the first list the only
 * adapter. @param before null for the first list
 */
export function portToPick(
  ports: readonly SerialPortShown[],
  before: readonly SerialPortShown[] | null,
  { path }: PortForm,
): SerialPortShown | null {
  const plugged = ports.find(
    ({ name, justPluggedIn, laneId }) =>
      justPluggedIn && laneId === null && before?.some((port) => port.name === name) === false,
  );
  if (plugged !== undefined) return plugged;
  // Only USB adapters count: a mainboard may have serial ports with nothing plugged in.
  const [only, ...others] = ports.filter(
    ({ laneId, vendorId }) => laneId === null && vendorId !== null,
  );
  return only !== undefined && before === null && path === null && others.length === 0
    ? only
    : null;
}

/**
 * Whether the first list has just been drawn, which moves what is below it. @param before the list
 * before this update; undefined when it did not change
 */
export const isFirstList = (before: readonly SerialPortShown[] | null | undefined): boolean =>
  before === null;

/** The rules that are broken, by field. @param missing the words for no picked port */
export function portProblems(
  { path, otherPath }: PortForm,
  missing: string,
  { till }: SetupTexts,
): Record<'ports' | 'otherPath', string | null> {
  return {
    ports: path === null ? missing : null,
    otherPath: path === otherPort && otherPath.trim() === '' ? till.pathMissing : null,
  };
}
