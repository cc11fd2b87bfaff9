import { version } from '../../../package.json' with { type: 'json' };

/**
 * `Major.Minor.Build`: what the service certifies, and what the till is told (document 4, section
 * 1.12).
 */
export const terminalVersion: string = version;

/**
 * Nobody runs this version before this day. Raised with each release; a day that is too early only
 * finds fewer wrong clocks.
 */
export const builtMs = Date.UTC(2026, 10, 1);
