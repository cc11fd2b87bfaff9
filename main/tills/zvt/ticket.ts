import type { BookingTicket, RefundTicket, PaymentTicket } from '../../core/domain/sale.ts';

/** The sale or refund that a till waits for and that its receipt shows. */
export type Ticket = PaymentTicket | RefundTicket;

export const isRefund = (ticket: Ticket | BookingTicket): ticket is RefundTicket =>
  'refundOrderId' in ticket;
export const isBooking = (ticket: Ticket | BookingTicket): ticket is BookingTicket =>
  'reservedMinor' in ticket;

/** Its papers and texts say that it is a test. */
export const isOfTest = (ticket: Ticket | BookingTicket): boolean =>
  isRefund(ticket) && ticket.isTest === true;

/** A reservation is still held, so nothing is printed for it. */
export const isReservation = (ticket: Ticket): boolean => 'heldUntilMs' in ticket;

/** The id of a refund is its own, not its sale's. */
export const idOf = (ticket: Ticket): string =>
  isRefund(ticket) ? ticket.refundOrderId : ticket.saleId;
