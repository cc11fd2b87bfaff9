import { html, nothing, type TemplateResult } from 'lit';
import { v10Currencies } from '../../preload/procedures/setup-fields.ts';
import { choices } from '../ui/choice.ts';
import { field } from '../ui/field.ts';
import { icon } from '../ui/icons.ts';
import { notice } from '../ui/notice.ts';
import { select } from '../ui/select.ts';
import { cardTypes, type PointOfSaleForm } from './point-of-sale-form.ts';
import type { SetupTexts } from '../locales/setup.ts';

interface MoreOptions {
  readonly form: PointOfSaleForm;
  /** With the ePayment service, the settings that it does not use are hidden. */
  readonly isEpayment: boolean;
  readonly problems: Readonly<Record<string, string>>;
  readonly words: SetupTexts;
  readonly set: (change: Partial<PointOfSaleForm>, ...mended: string[]) => void;
  readonly onEnter: () => void;
}

/** The settings of a lane that rarely need a change. */
export function advancedLaneSettings({
  form,
  isEpayment,
  problems,
  words,
  set,
  onEnter,
}: MoreOptions): TemplateResult {
  const { pointOfSale: texts, more } = words;
  const text = (
    id: 'laneName' | 'laneId' | 'deadlineSeconds' | 'merchantPaymentLabel' | 'callbackAlias',
  ): TemplateResult =>
    field({
      id,
      label: texts[id],
      hint: texts.hints[id],
      value: form[id] ?? '',
      problem: problems[id] ?? null,
      onInput: (typed) => set({ [id]: typed }, id),
      onEnter,
    });
  const reserve = select({
    id: 'plannedCaptureDelay',
    label: texts.reserve,
    hint: texts.reserveHint,
    value: form.plannedCaptureDelay,
    options: [
      { value: 'None', label: texts.reserved.None },
      { value: 'LessThan24Hours', label: texts.reserved.LessThan24Hours },
      { value: 'LessThan14Days', label: texts.reserved.LessThan14Days },
    ],
    onChange: (plannedCaptureDelay) => set({ plannedCaptureDelay }),
  });
  if (isEpayment)
    return html`<details>
      <summary>${icon('down')} ${more}</summary>
      <div class="two">${text('laneName')} ${text('laneId')} ${reserve} ${text('deadlineSeconds')}</div>
    </details>`;
  return html`<details>
    <summary>${icon('down')} ${more}</summary>
    <div class="two">
      ${text('laneName')} ${text('laneId')}
      ${select({
        id: 'currency',
        label: texts.currency,
        value: form.currency,
        options: [
          { value: '', label: texts.currencyOfCountry },
          ...v10Currencies.map((value) => ({ value, label: value })),
        ],
        onChange: (currency) => set({ currency }),
      })}
      ${select({
        id: 'flow',
        label: texts.flow,
        hint: texts.flowHint,
        value: form.flow,
        options: (['initiate', 'prepare'] as const).map((value) => ({
          value,
          label: texts.flows[value],
        })),
        onChange: (flow) => set({ flow }),
      })}
      ${reserve}
      ${text('deadlineSeconds')} ${text('merchantPaymentLabel')} ${text('callbackAlias')}
    </div>
    <div class="stack">${choices({
      id: 'disallowed',
      legend: texts.disallowed,
      hint: texts.disallowedHint,
      values: form.disallowed,
      options: cardTypes.map((type) => ({ value: type, title: texts.card[type] })),
      onChange: (disallowed) => set({ disallowed }),
    })}
    ${form.disallowed.length < cardTypes.length ? nothing : notice({ kind: 'warning', body: texts.everyCardDisallowed })}</div>
  </details>`;
}
