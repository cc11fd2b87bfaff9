import type { Bridge } from '../../../preload/contract.ts';

const place = 'tillbeacon.ticket';

/**
 * Handles a click on a link to another page of managers, so that the PIN is not asked for again.
 * The ticket lies in this tab's own storage, which no other tab and no other origin can read, until
 * the next page removes it. A link that is opened in another tab passes nothing on.
 */
export const passingOn =
  (bridge: Pick<Bridge, 'ask'>) =>
  async (event: MouseEvent): Promise<void> => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    event.preventDefault();
    const { href } = event.currentTarget as HTMLAnchorElement;
    const answer = await bridge.ask('passOn', {});
    if (answer.ok) sessionStorage.setItem(place, answer.value.ticket);
    location.assign(href);
  };

/** Takes over the sign-in of the page before, if it has passed one on. */
export async function takeOver(bridge: Pick<Bridge, 'ask'>): Promise<void> {
  const ticket = sessionStorage.getItem(place);
  if (ticket === null) return;
  // Removed first: whatever comes of it, nobody else finds it here.
  sessionStorage.removeItem(place);
  await bridge.ask('takeOver', { ticket });
}
