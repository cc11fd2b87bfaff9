/**
 * What a till's token allows. pay: payments and what belongs to them; refund: money back; read: to
 * look alone.
 */
export const tillScopes = ['pay', 'refund', 'read'] as const;
export type TillScope = (typeof tillScopes)[number];
