/** A host as addresses with a port have it: IPv6 in brackets. */
export const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);
/** The host itself. */
export const unbracketed = (host: string): string => host.replace(/^\[|\]$/g, '');

/** E.g. `192.168.1.10:20007` or `[fd00::10]:20007`. */
export const hostPort = (host: string, port: number): string => `${bracketed(host)}:${port}`;
