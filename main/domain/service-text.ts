/** The characters that the wallet service accepts: the 2021-05-25 set, no control characters, emoji or other scripts (document 4, section 1.12). */
const letters = 'æÆøØåÅäÄöÖšŠžŽâÂàÀáÁãÃéÉêÊëËèÈíÍîÎïÏìÌüÜûÛùÙúÚôÔòÒóÓõÕÿýÝñÑðþçßÇÐÞ';
const signs = '¦¯¨´×«»¤µ±°ªº©§¶¼½¾¬®¢£¥¡¿¹²³';

export const serviceText = new RegExp(`^[\\x20-\\x7e${letters}${signs}]*$`, 'u');
