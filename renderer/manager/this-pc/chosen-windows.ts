import { html, nothing, type TemplateResult } from 'lit';
import { maxWindows, defaultWindows, windowScreens } from '../../../preload/procedures/plain.ts';
import type { ChosenWindow, ThisPc } from '../../../preload/procedures/this-pc.ts';
import type { ManagerTexts } from '../../locales/manager.ts';
import { icon } from '../../ui/icons.ts';
import { notice } from '../../ui/notice.ts';
import { select } from '../../ui/select.ts';

interface ChosenWindowsOptions {
  readonly thisPc: ThisPc;
  readonly lanes: readonly { readonly laneId: string; readonly name: string }[];
  readonly words: ManagerTexts['thisPc']['windows'];
  readonly onChange: (windows: ChosenWindow[]) => void;
}

/** Which screen of which lane is on which display, a row for each window. */
export function chosenWindows({
  thisPc,
  lanes,
  words,
  onChange,
}: ChosenWindowsOptions): TemplateResult {
  const { windows } = thisPc.choices;
  const replace = (place: number, changed: Partial<ChosenWindow>): void =>
    onChange(windows.map((window, at) => (at === place ? { ...window, ...changed } : window)));
  return html`<section class="card stack" aria-labelledby="windows-title">
    <h2 class="heading" id="windows-title">${words.title}</h2>
    ${windows.length === 0 ? html`<p>${words.usual}</p>` : nothing}
    <div class="windows">
      ${windows.map(
        (window, place) =>
          html`<div class="stack" data-testid="window" role="group" aria-label=${words.window({ number: place + 1 })}>
            <div class="grid">${screenOf(window, place)} ${lanes.length > 1 ? laneOf(window, place) : nothing}</div>
            ${displayOf(window, place)}
            ${thisPc.waiting.includes(place) ? notice({ kind: 'warning', body: words.waiting }) : nothing}
            <div class="row">
              <button
                class="quiet"
                data-testid="remove-window"
                aria-label="${words.remove}: ${words.window({ number: place + 1 })}"
                @click=${() => onChange(windows.filter((_window, at) => at !== place))}
              >
                ${icon('trash')} ${words.remove}
              </button>
            </div>
          </div>`,
      )}
    </div>
    <div class="row">
      ${
        windows.length === 0
          ? html`<button data-testid="choose-windows" @click=${() => onChange([...defaultWindows])}>${icon('edit')} ${words.choose}</button>`
          : html`<button data-testid="add-window" ?disabled=${windows.length >= maxWindows} @click=${() => onChange([...windows, { screen: 'cashier', laneId: null, display: null }])}>
                ${icon('plus')} ${words.add}
              </button>
              <button class="quiet" data-testid="usual-windows" @click=${() => onChange([])}>${icon('refund')} ${words.asUsual}</button>`
      }
    </div>
  </section>`;

  function screenOf({ screen }: ChosenWindow, place: number): TemplateResult {
    const options = windowScreens.map((value) => ({ value, label: words.screens[value] }));
    return select({
      id: `window-${place}-screen`,
      label: words.screen,
      value: screen,
      options,
      onChange: (chosen) => replace(place, { screen: chosen }),
    });
  }

  function laneOf({ laneId }: ChosenWindow, place: number): TemplateResult {
    const options = [
      { value: '', label: words.firstLane },
      ...lanes.map((lane) => ({ value: lane.laneId, label: lane.name })),
    ];
    return select({
      id: `window-${place}-lane`,
      label: words.lane,
      value: laneId ?? '',
      options,
      onChange: (chosen) => replace(place, { laneId: chosen === '' ? null : chosen }),
    });
  }

  function displayOf({ display }: ChosenWindow, place: number): TemplateResult {
    const { displays } = thisPc;
    const isGone = display !== null && displays.every(({ id }) => id !== display.id);
    const options = [
      { value: '', label: words.anyDisplay },
      ...displays.map((one, at) => ({ value: String(one.id), label: named(one, at) })),
      ...(isGone
        ? [
            {
              value: String(display.id),
              label: display.label === '' ? words.goneUnnamed : words.gone({ name: display.label }),
            },
          ]
        : []),
    ];
    return select({
      id: `window-${place}-display`,
      label: words.display,
      value: display === null ? '' : String(display.id),
      options,
      onChange: (chosen) => {
        const chosenDisplay = displays.find(({ id }) => String(id) === chosen);
        replace(place, {
          display:
            chosenDisplay === undefined
              ? null
              : { id: chosenDisplay.id, label: chosenDisplay.label },
        });
      },
    });
  }

  function named({ label, width, height, isMain }: ThisPc['displays'][number], at: number): string {
    if (isMain) return words.mainDisplay({ width, height });
    return words.thisDisplay({
      name: label === '' ? words.unnamedDisplay({ number: at + 1 }) : label,
      width,
      height,
    });
  }
}
