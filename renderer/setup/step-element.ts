import { html, type TemplateResult } from 'lit';
import type { Bridge } from '../../preload/contract.ts';
import type { Language } from '../locales/i18n.ts';
import type { Draft, Finished, SetupState, StepId } from './step-order.ts';

export interface StepOptions {
  readonly bridge: Pick<Bridge, 'ask'>;
  readonly language: Language;
  readonly draft: Draft | null;
  /** The lanes in use. */
  readonly lanes: NonNullable<SetupState['inUse']>['lanes'];
  /** Whether the step was opened from a page to which it returns. */
  readonly isEdit: boolean;
  readonly onDone: (draft: Draft) => void;
  readonly onBack: () => void;
  readonly onSpeak: (language: Language) => void;
  readonly onImport: () => void;
  /** null where no backup can be restored. */
  readonly onRestore: (() => void) | null;
  readonly onGo: (id: StepId) => void;
  readonly onFinished: (finished: Finished) => void;
}

/** The element of each step. */
export function stepElement(
  step: Exclude<StepId, 'manager'>,
  options: StepOptions,
): TemplateResult {
  const { bridge, language, draft, onBack } = options;
  const onDone = ({ detail }: CustomEvent<Draft>): void => options.onDone(detail);
  switch (step) {
    case 'language':
      return html`<tb-language-step
        .bridge=${bridge}
        .language=${language}
        .draft=${draft}
        .isFirst=${!options.isEdit}
        @back=${onBack}
        @speak=${({ detail }: CustomEvent<Language>) => options.onSpeak(detail)}
        @done=${onDone}
        .canRestore=${options.onRestore !== null}
        @import=${options.onImport}
        @restore=${() => options.onRestore?.()}
      ></tb-language-step>`;
    case 'wallet':
      return html`<tb-wallet-step .bridge=${bridge} .language=${language} .draft=${draft} @done=${onDone} @back=${onBack}></tb-wallet-step>`;
    case 'store':
      return html`<tb-store-step .bridge=${bridge} .language=${language} .draft=${draft} @done=${onDone} @back=${onBack}></tb-store-step>`;
    case 'pointOfSale':
      return html`<tb-point-of-sale-step
        .bridge=${bridge}
        .language=${language}
        .draft=${draft}
        .lanes=${options.lanes}
        @done=${onDone}
        @back=${onBack}
      ></tb-point-of-sale-step>`;
    case 'till':
      return html`<tb-till-step
        .bridge=${bridge}
        .language=${language}
        .draft=${draft}
        .lanes=${options.lanes}
        @done=${onDone}
        @back=${onBack}
      ></tb-till-step>`;
    case 'test':
      return html`<tb-test-step .bridge=${bridge} .language=${language} .draft=${draft} .lanes=${options.lanes} @done=${onDone} @back=${onBack}></tb-test-step>`;
    case 'finish':
      return html`<tb-finish-step
        .bridge=${bridge}
        .language=${language}
        .draft=${draft}
        .lanes=${options.lanes}
        @back=${onBack}
        @go=${({ detail }: CustomEvent<StepId>) => options.onGo(detail)}
        @finished=${({ detail }: CustomEvent<Finished>) => options.onFinished(detail)}
      ></tb-finish-step>`;
  }
}
