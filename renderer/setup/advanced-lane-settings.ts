import { html, nothing, type TemplateResult } from 'lit';
import { derivedLaneFields, laneFields } from '../../preload/procedures/setup-lane-fields.ts';
import { choices } from '../ui/choice.ts';
import { field } from '../ui/field.ts';
import { icon } from '../ui/icons.ts';
import { notice } from '../ui/notice.ts';
import { cardTypes, declaredFields, type PointOfSaleForm } from './point-of-sale-form.ts';
import { fieldInputs, inputNames } from './setup-field-form.ts';
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

/** In the order of the screen: those of the lane, without those that the page shows itself. */
const advancedFields = inputNames({ ...derivedLaneFields, ...laneFields });

/** The settings of a lane that rarely need a change. */
export function advancedLaneSettings({
  form,
  isEpayment,
  problems,
  words,
  set,
  onEnter,
}: MoreOptions): TemplateResult {
  const { pointOfSale: texts, fields, more } = words;
  const input = fieldInputs({
    fields: declaredFields,
    form,
    texts: fields,
    problems,
    set,
    onEnter,
  });
  const names = advancedFields.filter((name) => !isEpayment || !('only' in declaredFields[name]));
  return html`<details>
    <summary>${icon('down')} ${more}</summary>
    <div class="two">${names.map((name) => input(name))} ${isEpayment ? nothing : notificationService()}</div>
    ${isEpayment ? nothing : cards()}
  </details>`;

  function notificationService(): TemplateResult {
    const { label, hint } = fields.callbackAlias;
    return field({
      id: 'callbackAlias',
      label,
      hint,
      value: form.callbackAlias ?? '',
      problem: problems['callbackAlias'] ?? null,
      onInput: (callbackAlias) => set({ callbackAlias }, 'callbackAlias'),
      onEnter,
    });
  }

  function cards(): TemplateResult {
    return html`<div class="stack">${choices({
      id: 'disallowed',
      legend: texts.disallowed,
      hint: texts.disallowedHint,
      values: form.disallowed,
      options: cardTypes.map((type) => ({ value: type, title: texts.card[type] })),
      onChange: (disallowed) => set({ disallowed }),
    })}
    ${form.disallowed.length < cardTypes.length ? nothing : notice({ kind: 'warning', body: texts.everyCardDisallowed })}</div>`;
  }
}
