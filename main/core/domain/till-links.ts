/**
 * absent: no such port exists. busy: another program has the port. failed: the port exists and
 * cannot be opened.
 */
export const portProblems = ['absent', 'busy', 'failed'] as const;
export type PortProblem = (typeof portProblems)[number];

/** How a till's line is. open: no till was heard since it is; connected: one was. */
export const tillLinks = [...portProblems, 'open', 'connected'] as const;

/**
 * Programs that take serial adapters by themselves, because braille displays (brltty), mobile
 * modems (ModemManager) and GPS receivers (gpsd) have the same chips.
 */
export const portClaimers = ['brltty', 'modemManager', 'gpsd'] as const;
export type PortClaimer = (typeof portClaimers)[number];
