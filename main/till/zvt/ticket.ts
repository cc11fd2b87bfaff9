import type { RefundTicket, SaleTicket } from '../../domain/sale.ts';

/** What a till waits for, and what its receipt is about. */
export type Ticket = SaleTicket | RefundTicket;

export const isRefund = (ticket: Ticket): ticket is RefundTicket => 'refundOrderId' in ticket;

/** A refund's own, not its sale's. */
export const idOf = (ticket: Ticket): string => (isRefund(ticket) ? ticket.refundOrderId : ticket.saleId);
