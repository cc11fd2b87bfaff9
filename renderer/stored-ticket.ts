/**
 * The ticket of a sign-in that is passed on from one page to the next: in this tab's own storage,
 * which no other tab and no other origin can read.
 */
const place = 'tillbeacon.ticket';

export const storeTicket = (ticket: string): void => sessionStorage.setItem(place, ticket);

/**
 * Removes it: whatever comes of it, nobody else finds it there. @returns null when there was none
 */
export function takeTicket(): string | null {
  const ticket = sessionStorage.getItem(place);
  sessionStorage.removeItem(place);
  return ticket;
}
