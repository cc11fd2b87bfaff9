/** The characters that the wallet service accepts: the 2021-05-25 set, no control characters, emoji or other scripts (document 4, section 1.12). */
const letters = 'æÆøØåÅäÄöÖšŠžŽâÂàÀáÁãÃéÉêÊëËèÈíÍîÎïÏìÌüÜûÛùÙúÚôÔòÒóÓõÕÿýÝñÑðþçßÇÐÞ';
const signs = '¦¯¨´×«»¤µ±°ªº©§¶¼½¾¬®¢£¥¡¿¹²³';

/** Limit of the order text that a cashier may add: an order id has at most 36 characters, and the other 16 make it unique. */
export const longestOrderText = 20;

export const longestServiceText = 36;
export const serviceTextRule = 'holds a character that the service does not allow';
export const serviceText = new RegExp(`^[\\x20-\\x7e${letters}${signs}]*$`, 'u');
