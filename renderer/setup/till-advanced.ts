import { html, nothing, type TemplateResult } from 'lit';
import {
  baudRates,
  formatOf,
  type WholeSerialFormat,
} from '../../preload/procedures/setup-fields.ts';
import { checkbox } from '../ui/checkbox.ts';
import { icon } from '../ui/icons.ts';
import { select } from '../ui/select.ts';
import { formatDate, type Language } from '../locales/i18n.ts';
import { setupTexts } from '../locales/setup.ts';
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
    <div class="two">${isSerial ? line(options) : nothing} ${isZvt ? deviations(options) : nothing}</div>
    ${isZvt ? partialReversals(options) : nothing}
  </details>`;
}

/** Data bits and parity in one choice. */
const formats: readonly WholeSerialFormat[] = ([8, 7] as const).flatMap((dataBits) =>
  (['none', 'even', 'odd'] as const).map((parity) => ({ dataBits, parity })),
);
const idOf = ({ dataBits, parity }: WholeSerialFormat): string => `${dataBits} ${parity}`;

function line({ language, form, setLine }: AdvancedOptions): TemplateResult {
  const { till } = setupTexts[language];
  return html`${select({
    id: 'baudRate',
    label: till.baudRate,
    hint: till.baudHint,
    value: String(form.baudRate),
    options: baudRates.map((rate) => ({ value: String(rate), label: String(rate) })),
    onChange: (rate) => setLine({ baudRate: Number(rate) }),
  })}
  ${select({
    id: 'stopBits',
    label: till.stopBits,
    hint: till.stopBitsHint,
    value: String(form.stopBits),
    options: ['2', '1'].map((bits) => ({ value: bits, label: bits })),
    onChange: (bits) => setLine({ stopBits: Number(bits) }),
  })}
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

function partialReversals({ language, form, set }: AdvancedOptions): TemplateResult {
  const { till } = setupTexts[language];
  return html`<div class="stack">${checkbox({
    id: 'partialReversals',
    label: till.partialReversals,
    hint: till.partialReversalsHint,
    checked: form.partialReversals,
    onChange: (checked) => set({ partialReversals: checked }),
  })}</div>`;
}
