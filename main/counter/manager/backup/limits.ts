/** Limit of a backup that a page downloads or uploads, because the page holds the whole file. */
export const mostBytes = 2 * 1024 ** 3;
