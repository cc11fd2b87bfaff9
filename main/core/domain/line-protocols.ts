/** Till protocols that have a line to themselves. */
export const lineProtocols = ['zvt', 'concert'] as const;
export type LineProtocol = (typeof lineProtocols)[number];
