/**
 * The characters that the wallet service accepts: the 2021-05-25 set, no control characters, emoji
 * or other scripts (document 4, section 1.12).
 */
const letters = 'æÆøØåÅäÄöÖšŠžŽâÂàÀáÁãÃéÉêÊëËèÈíÍîÎïÏìÌüÜûÛùÙúÚôÔòÒóÓõÕÿýÝñÑðþçßÇÐÞ';
const signs = '¦¯¨´×«»¤µ±°ªº©§¶¼½¾¬®¢£¥¡¿¹²³';

/**
 * Limit of the order text that a cashier may add: an order id has at most 36 characters, and the
 * other 16 make it unique.
 */
export const maxOrderTextLength = 20;

/**
 * What setup calls its test payments. The journal finds them by it, so that no list has to look
 * through all payments.
 */
export const testOrderText = 'test';

/**
 * An order id begins with the text, or with the lane's id without one; a number and the payment's
 * own part follow.
 */
const orderIdForm = /^(.*)-\d{6,}-[\da-f]{8}$/su;

/** What the cashier called a payment; null when it was given no name. */
export function orderTextOf({
  orderId,
  laneId,
}: {
  readonly orderId: string;
  readonly laneId: string;
}): string | null {
  const text = orderIdForm.exec(orderId)?.[1] ?? '';
  return text === '' || text === laneId ? null : text;
}

export const maxServiceTextLength = 36;
export const serviceTextRule = 'holds a character that the service does not allow';
export const serviceText = new RegExp(`^[\\x20-\\x7e${letters}${signs}]*$`, 'u');
