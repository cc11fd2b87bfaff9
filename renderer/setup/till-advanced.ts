import { html, nothing, type TemplateResult } from 'lit';
import { formatOf, type WholeSerialFormat } from '../../preload/procedures/setup-fields.ts';
import { serialFields, zvtFields } from '../../preload/procedures/setup-till-fields.ts';
import { icon } from '../ui/icons.ts';
import { select } from '../ui/select.ts';
import { formatDate, type Language } from '../locales/i18n.ts';
import { setupTexts } from '../locales/setup.ts';
import { fieldInputs, inputNames } from './setup-field-form.ts';
import { formatName, offeredProfileIds, type TillForm } from './till-form.ts';

interface AdvancedOptions {
  readonly language: Language;
  readonly form: TillForm;
  readonly set: (change: Partial<TillForm>) => void;
  /** Changes the connection, which is then listened to anew. */
  readonly setLine: (change: Partial<TillForm>) => void;
}

/**
 * The settings that rarely need a change, because the baud rate is detected and most tills follow
 * the standard.
 */
export function tillAdvanced(options: AdvancedOptions): TemplateResult | typeof nothing {
  const { language, form } = options;
  const isSerial = form.transport === 'serial';
  const isZvt = form.protocol === 'zvt';
  if (form.transport === 'http' || (!isSerial && !isZvt)) return nothing;
  return html`<details data-testid="advanced">
    <summary>${icon('down')} ${setupTexts[language].more}</summary>
    <div class="two">${isSerial ? line(options) : nothing} ${isZvt ? html`${deviations(options)} ${zvtInputs(options, (name) => !isCheckbox(name))}` : nothing}</div>
    ${isZvt ? html`<div class="stack">${zvtInputs(options, (name) => isCheckbox(name))}</div>` : nothing}
  </details>`;
}

/** Data bits and parity in one choice. */
const formats: readonly WholeSerialFormat[] = ([8, 7] as const).flatMap((dataBits) =>
  (['none', 'even', 'odd'] as const).map((parity) => ({ dataBits, parity })),
);
const idOf = ({ dataBits, parity }: WholeSerialFormat): string => `${dataBits} ${parity}`;

function line(options: AdvancedOptions): TemplateResult {
  const { language, form, setLine } = options;
  const { till } = setupTexts[language];
  const input = fieldInputs({ ...common(options), fields: serialFields, set: setLine });
  return html`${input('baudRate')} ${input('stopBits')}
  ${select({
    id: 'format',
    label: till.format,
    hint: till.formatHint,
    value: idOf(form),
    options: formats
      .filter(({ dataBits }) => dataBits === 8 || form.protocol === 'concert')
      .map((format) => ({ value: idOf(format), label: formatName(language, format) })),
    onChange: (id) => setLine(formats.find((format) => idOf(format) === id) ?? formatOf({})),
  })}`;
}

function deviations({ language, form, set }: AdvancedOptions): TemplateResult {
  const { till, tillProfile } = setupTexts[language];
  const chosen = form.profile || 'standard';
  return html`${select({
    id: 'profile',
    label: till.profile,
    hint: tillProfile[chosen],
    value: chosen,
    options: offeredProfileIds.map((id) => ({ value: id, label: till.profiles[id] })),
    onChange: (profile) => set({ profile: profile === 'standard' ? '' : profile }),
  })}
  ${select({
    id: 'record',
    label: till.record,
    hint: till.recordHint,
    value: form.record,
    options: [
      ...(['asked', 'week', 'always'] as const).map((value) => ({
        value,
        label: till.recorded[value],
      })),
      ...(form.recordUntil === ''
        ? []
        : [
            {
              value: 'until' as const,
              label: till.recorded.until({
                day: formatDate(language, Date.parse(form.recordUntil)),
              }),
            },
          ]),
    ],
    onChange: (record) => set({ record }),
  })}`;
}

const isCheckbox = (name: keyof typeof zvtFields): boolean => zvtFields[name].input === 'checkbox';

/** The inputs that follow from the declarations of ZVT's fields. */
function zvtInputs(
  options: AdvancedOptions,
  isShown: (name: keyof typeof zvtFields) => boolean,
): TemplateResult[] {
  const input = fieldInputs({ ...common(options), fields: zvtFields, set: options.set });
  return inputNames(zvtFields)
    .filter(isShown)
    .map((name) => input(name));
}

const common = ({ language, form }: AdvancedOptions) => ({
  form,
  texts: setupTexts[language].fields,
  problems: {},
  onEnter: () => undefined,
});
