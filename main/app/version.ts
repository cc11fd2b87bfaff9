import { version } from '../../package.json' with { type: 'json' };

/** `Major.Minor.Build`: what the service certifies, and what the till is told (document 4, section 1.12). */
export const terminalVersion: string = version;
