import { html, nothing, type TemplateResult } from 'lit';
import type { SerialPortShown } from '../../preload/procedures/setup-till.ts';
import { choice } from '../ui/choice.ts';
import { field } from '../ui/field.ts';
import { icon } from '../ui/icons.ts';
import { progress } from '../ui/progress.ts';
import type { Language } from '../locales/i18n.ts';
import { setupTexts, type SetupTexts } from '../locales/setup.ts';
import { isBoundToSocket } from './port-name.ts';

/** Which serial port, as a form has it. */
export interface PortForm {
  /** `otherPort` stands for the path typed in `otherPath`; null when none is picked. */
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
  /** Another device has it. */
  readonly isOthers: (port: SerialPortShown) => boolean;
  readonly onChange: (change: Partial<PortForm>) => void;
  readonly onEnter: () => void;
}

/** The serial ports of this computer, and one that is typed. */
export function portsChoice({ language, ports, form, problems, isOthers, onChange, onEnter }: PortsOptions): TemplateResult {
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
        note: noteOf(port, isOthers(port), till),
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

function noteOf({ path, name, manufacturer, serialNumber, justPluggedIn, laneId }: SerialPortShown, isOthers: boolean, till: SetupTexts['till']): string {
  return [
    justPluggedIn ? till.justPluggedIn : null,
    serialNumber === null ? null : till.serialNumber({ number: serialNumber }),
    manufacturer === null ? null : name,
    isBoundToSocket(path) ? till.onlyThisSocket : null,
    isOthers ? till.usedBy({ laneId: laneId ?? '' }) : null,
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

/** A cable that was just plugged in is picked, and at first the only adapter that there is. @param before null when this is the first list */
export function foundPort(ports: readonly SerialPortShown[], before: readonly SerialPortShown[] | null, { path }: PortForm): SerialPortShown | null {
  const plugged = ports.find(({ name, justPluggedIn, laneId }) => justPluggedIn && laneId === null && before?.some((port) => port.name === name) === false);
  if (plugged !== undefined) return plugged;
  // A mainboard has ports that nothing is plugged into.
  const [only, ...others] = ports.filter(({ laneId, vendorId }) => laneId === null && vendorId !== null);
  return only !== undefined && before === null && path === null && others.length === 0 ? only : null;
}

/** What is below the list has moved. @param before of an update of the page; undefined when no list has come in it */
export const isFirstList = (before: readonly SerialPortShown[] | null | undefined): boolean => before === null;

/** The broken rules, by field. @param missing that no port is picked, in words */
export function portProblems({ path, otherPath }: PortForm, missing: string, { till }: SetupTexts): Record<'ports' | 'otherPath', string | null> {
  return { ports: path === null ? missing : null, otherPath: path === otherPort && otherPath.trim() === '' ? till.pathMissing : null };
}
