import type { RefundTicket, SaleTicket } from '../../domain/sale.ts';

/** The sale or refund that a till waits for and that its receipt shows. */
export type Ticket = SaleTicket | RefundTicket;

export const isRefund = (ticket: Ticket): ticket is RefundTicket => 'refundOrderId' in ticket;

/** Of the refund, not of its sale. */
export const idOf = (ticket: Ticket): string => (isRefund(ticket) ? ticket.refundOrderId : ticket.saleId);
