import { LitElement } from 'lit';
import type { Bridge, View } from '../../preload/contract.ts';
import type { Language } from '../locales/i18n.ts';
import { screenTexts, type ScreenTexts } from '../locales/screens.ts';

/**
 * One page of the manager's screen. The shell makes it when it is first opened, keeps it as long as somebody is signed in, and hands down what it has.
 * A page that needs a PIN anew is covered, not lost: `opened` is called once more when somebody has signed in again.
 */
export abstract class ManagerPage extends LitElement {
  static override properties = { bridge: { attribute: false }, language: { attribute: false }, view: { attribute: false }, inSight: { attribute: false } };

  /** See {@link ask}; also for `saveFile(this.bridge, offer)`. */
  declare bridge: Pick<Bridge, 'ask'>;
  declare language: Language;
  /** `view.lanes` are all lanes of this counter; null while the line to the daemon is down. */
  declare view: View | null;
  /** Somebody is signed in and this page is the one that is shown. Each of its dialogs is told: it would stand in front of another page. */
  declare inSight: boolean;

  /** Of a refusal `pinNeeded` the shell has heard already: it shows the sign-in above the page, which stays as it is and does nothing. */
  protected readonly ask: Bridge['ask'] = (name, asked) => this.bridge.ask(name, asked);

  /** Called by the shell: this page is in sight now, or the address leads to it once more. Here it loads, or loads again; what was typed stays. */
  opened(): void {}

  /** Called by the shell: another page is in sight, or nobody is signed in. What repeats by itself ends here. */
  left(): void {}

  /** Called by the shell: nobody is signed in, or the line is down, and nobody knows for how long. Amounts that may be others by then go; what was typed stays. */
  covered(): void {}

  /** What all screens say. */
  protected get texts(): ScreenTexts {
    return screenTexts[this.language];
  }
}
