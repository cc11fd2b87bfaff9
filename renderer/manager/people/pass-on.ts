import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Bridge } from '../../../preload/contract.ts';
import { storeTicket, takeTicket } from '../../stored-ticket.ts';

/** Where managers sign in. */
const screens = ['manager', 'setup'] as const;

/** 64 hexadecimal digits. */
export const randomSecret = (): string =>
  `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', '');

/**
 * Passes the sign-in on to the page that comes next, so that the PIN is not asked for again.
 * Nothing waits for the answer: the page may be gone before it comes.
 */
function passOn(bridge: Pick<Bridge, 'ask'>): void {
  const ticket = randomSecret();
  storeTicket(ticket);
  void bridge.ask('passOn', { ticket });
}

/**
 * Handles a click on a link to another page of managers. A link that is opened in another tab
 * passes nothing on.
 */
export const passingOn =
  (bridge: Pick<Bridge, 'ask'>) =>
  (event: MouseEvent): void => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    passOn(bridge);
  };

/**
 * Passes the sign-in on when the browser's Back or Forward leads to another page of managers. Where
 * a browser does not tell so, the PIN is asked for.
 */
export class PassOnInHistory implements ReactiveController {
  readonly #bridge: Pick<Bridge, 'ask'>;
  readonly #isSignedIn: () => boolean;

  constructor(
    host: ReactiveControllerHost,
    bridge: Pick<Bridge, 'ask'>,
    isSignedIn: () => boolean,
  ) {
    this.#bridge = bridge;
    this.#isSignedIn = isSignedIn;
    host.addController(this);
  }

  hostConnected(): void {
    if ('navigation' in window) navigation.addEventListener('navigate', this.#onNavigate);
  }

  hostDisconnected(): void {
    if ('navigation' in window) navigation.removeEventListener('navigate', this.#onNavigate);
  }

  readonly #onNavigate = ({
    navigationType,
    destination: { sameDocument, url },
  }: NavigateEvent): void => {
    const leads = screens.some((screen) =>
      url.startsWith(new URL(`../${screen}/`, location.href).href),
    );
    if (navigationType === 'traverse' && !sameDocument && leads && this.#isSignedIn())
      passOn(this.#bridge);
  };
}

/** Takes over the sign-in of the page before, if it has passed one on. */
export async function takeOver(bridge: Pick<Bridge, 'ask'>): Promise<void> {
  const ticket = takeTicket();
  if (ticket !== null) await bridge.ask('takeOver', { ticket });
}
