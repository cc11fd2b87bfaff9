/** What a till speaks on a line of its own. */
export const lineProtocols = ['zvt', 'concert'] as const;
export type LineProtocol = (typeof lineProtocols)[number];
