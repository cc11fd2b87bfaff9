/** Of a backup that a page saves or sends: it holds the file meanwhile. */
export const mostBytes = 2 * 1024 ** 3;
