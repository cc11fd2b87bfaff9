/**
 * Possible mistakes in the code, each against one of the rules about money. The simulation has to
 * find every one of them.
 */

import type { ShopService } from '../wallets.ts';

interface Edit {
  /** Path from the root of the repository. */
  readonly file: string;
  /** The text that is replaced; it must be in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}

export interface PlantedBug {
  readonly number: number;
  readonly says: string;
  /** The service of the shops that must find the bug; the older one by default. */
  readonly service?: ShopService;
  readonly edits: readonly Edit[];
}

const decideHeld = 'main/core/settlement/held-decisions.ts';
const decidePayment = 'main/core/settlement/payment-decisions.ts';
const decideRefund = 'main/core/settlement/refund-decisions.ts';
const settle = 'main/core/settlement/settle.ts';
const refundable = 'main/core/settlement/refundable.ts';
const runner = 'main/core/lane/settlement-runner.ts';
const settling = 'main/core/lane/settling.ts';
const counter = 'main/wallets/v10/point-of-sale/point-of-sale-client.ts';
const telling = 'main/tills/zvt/telling.ts';
const moneyPackets = 'main/tills/zvt/money-packets.ts';
const reservations = 'main/core/lane/reservations.ts';
const wallets = 'main/core/lane/wallets.ts';
const refundsOfLane = 'main/core/lane/refunds.ts';
const refunds = 'main/wallets/v10/point-of-sale/point-of-sale-refunds.ts';
const refundsInOneStep = 'main/wallets/epayment/point-of-sale/epayment-refunds.ts';
const clock = 'main/core/domain/clock.ts';
const changeGate = 'main/wallets/epayment/point-of-sale/change-gate.ts';

export const plantedBugs: readonly PlantedBug[] = [
  {
    number: 1,
    says: 'the request leaves first, its intent is written to disk afterwards',
    edits: [
      {
        file: runner,
        find: `    if (!this.#commit(events)) return false;
    this.carryOut(effects);
`,
        replace: `    this.carryOut(effects);
    if (!this.#commit(events)) return false;
`,
      },
    ],
  },
  {
    number: 2,
    says: 'what the disk refused is acted on all the same',
    edits: [
      {
        file: runner,
        find: 'storage(false, asError(error));\n      return false;',
        replace: 'storage(false, asError(error));',
      },
    ],
  },
  {
    number: 3,
    says: 'a payment whose creation was not answered is created again with a new key',
    edits: [
      {
        file: counter,
        find: 'await transport.call(operations.initiatePayment, { body }, { idempotencyKey });',
        replace: `await transport.call(operations.initiatePayment, { body }, { idempotencyKey }).catch((error) => {
      if (error instanceof ServiceRefusedError || error instanceof InvalidRequestError) throw error;
      return transport.call(operations.initiatePayment, { body }, { idempotencyKey: ids.uuid() });
    });`,
      },
    ],
  },
  {
    number: 4,
    says: 'captured although the till did not take the result',
    edits: [
      {
        file: decidePayment,
        find: 'if (!input.acknowledged) return',
        replace: 'if (!input.acknowledged && false) return',
      },
    ],
  },
  {
    number: 5,
    says: '"paid" is told when the customer has the payment on the phone, before it is reserved',
    edits: [
      {
        file: decidePayment,
        find: '      if (stop !== null) return pollOrStop(payment, capabilities);\n      const events',
        replace: `      if (stop !== null) return pollOrStop(payment, capabilities);
      if (polled.status === 'issuedToUser') return decision([{ type: 'captureIntended' }], [{ type: 'offer' }]);
      const events`,
      },
    ],
  },
  {
    number: 6,
    says: 'a payment whose capture fails is cancelled, although the till was told "paid"',
    edits: [
      {
        file: settle,
        find: "    case 'captureAnswered':\n",
        replace:
          "    case 'captureAnswered':\n      if (input.answer.kind === 'unknown') return onlyEffects({ type: 'cancel', ...id });\n",
      },
    ],
  },
  {
    number: 7,
    says: 'a capture that failed is repeated with another amount',
    edits: [
      {
        file: settling,
        find: '=>\n      wallet.capture(paymentId, { ...payment.sale, amountMinor: capturedMinorOf(payment) }, refusalsOf(payment), payment.sale.amountMinor)',
        replace: `=> {
      const isRepeated = journal.story(sale.saleId).some(({ event }) => event.type === 'attemptFailed');
      return wallet.capture(paymentId, isRepeated ? { ...payment.sale, amountMinor: payment.sale.amountMinor - 1 } : payment.sale);
    }`,
      },
    ],
  },
  {
    number: 8,
    says: 'a restart cancels what the till has acknowledged',
    edits: [
      {
        file: settle,
        find: "    case 'retryDue':\n    case 'restarted':\n      return onlyEffects({ type: 'capture', ...id });",
        replace:
          "    case 'retryDue':\n      return onlyEffects({ type: 'capture', ...id });\n    case 'restarted':\n      return onlyEffects({ type: 'cancel', ...id });",
      },
    ],
  },
  {
    number: 9,
    says: 'a restart forgets a payment that was open',
    edits: [
      {
        file: 'main/core/lane/settlement-service.ts',
        find: 'of journal.openSales(laneId)) {',
        replace: 'of journal.openSales(laneId).slice(1)) {',
      },
    ],
  },
  {
    number: 10,
    says: 'a restart captures what the till has not acknowledged, because it was reserved',
    edits: [
      {
        file: decidePayment,
        find: "input.handedOutMinor);\n    case 'restarted':\n      return giveUp('interrupted', cancel(payment));",
        replace:
          "input.handedOutMinor);\n    case 'restarted':\n      return decision([{ type: 'tillAcknowledged' }], capture(payment));",
      },
    ],
  },
  {
    number: 11,
    says: "a look-up takes another order's payment",
    edits: [
      {
        file: counter,
        find: 'const paymentId = (await openPaymentIds(orderId))[0];',
        replace: 'void orderId;\n      const paymentId = (await openPaymentIds())[0];',
      },
      {
        file: counter,
        find: "payment.orderId === orderId ? { kind: 'found', paymentId }",
        replace: "payment !== null ? { kind: 'found', paymentId }",
      },
      {
        file: counter,
        find: 'if (orderId !== undefined && !isOurs(payment, paymentId, orderId)) return',
        replace: 'if (payment === null) return',
      },
    ],
  },
  {
    number: 12,
    says: 'nobody compares what was reserved with what was asked',
    edits: [
      {
        file: decidePayment,
        find: "      if (!isRequestedAmount(payment, polled)) return giveUp('amountMismatch', cancel(payment));\n",
        replace: '      void isRequestedAmount;\n',
      },
    ],
  },
  {
    number: 13,
    says: 'a 06 01 that the line repeats is a second sale',
    edits: [
      {
        file: 'main/tills/zvt/serial-link.ts',
        find: 'if (this.#lastReceived !== null && sameBytes(this.#lastReceived, bytes)) {',
        replace: 'if (bytes.length === 0) {',
      },
      {
        file: 'main/tills/zvt/session.ts',
        find: 'if (this.#connection.running === null) {',
        replace: "if (this.#connection.running === null || packet.name === 'authorisation') {",
      },
      {
        file: 'main/core/lane/till-requests.ts',
        find: 'if (this.isTillWaiting) return',
        replace: 'if (this.#refunds.tillWaits) return',
      },
    ],
  },
  {
    number: 14,
    says: 'a poll without an answer means "not paid", and nothing is cancelled',
    edits: [
      {
        file: decidePayment,
        find: ": pollOrStop(payment, capabilities);\n    case 'pollNotFound'",
        replace: ": end(payment.stop ?? 'serviceUnreachable');\n    case 'pollNotFound'",
      },
    ],
  },
  {
    number: 15,
    says: 'a cancel that failed is not repeated',
    edits: [
      {
        file: settle,
        find: "    case 'retryDue':\n    case 'restarted':\n      return onlyEffects({ type: 'cancel', ...id });",
        replace: "    case 'retryDue':\n    case 'restarted':\n      return decision([ended]);",
      },
    ],
  },
  {
    number: 16,
    says: 'a capture that failed is not repeated',
    edits: [
      {
        file: settle,
        find: "    case 'retryDue':\n    case 'restarted':\n      return onlyEffects({ type: 'capture', ...id });",
        replace:
          "    case 'retryDue':\n      return decision([{ type: 'captured' }]);\n    case 'restarted':\n      return onlyEffects({ type: 'capture', ...id });",
      },
    ],
  },
  {
    number: 17,
    says: 'a refund that was to be cancelled is paid out',
    edits: [
      {
        file: settle,
        find: "    case 'retryDue':\n    case 'restarted':\n      return onlyEffects({ type: 'cancel', ...id });",
        replace:
          "    case 'retryDue':\n    case 'restarted':\n      return onlyEffects({ type: 'refundId' in id ? 'capture' : 'cancel', ...id });",
      },
    ],
  },
  {
    number: 18,
    says: 'a refund whose creation was not answered is created again with a new key',
    edits: [
      {
        file: refunds,
        find: 'const { refundId } = await transport.call(operations.createRefund, { body }, { idempotencyKey, maxAttempts });',
        replace: `const { refundId } = await transport.call(operations.createRefund, { body }, { idempotencyKey, maxAttempts }).catch((error) => {
        if (error instanceof ServiceRefusedError) throw error;
        return transport.call(operations.createRefund, { body }, { idempotencyKey: \`\${idempotencyKey.slice(0, 34)}-2\` });
      });`,
      },
    ],
  },
  {
    number: 19,
    says: 'a refund whose creation was not answered is taken as not made, and not looked for',
    edits: [
      {
        file: decideRefund,
        find: "return decision([{ type: 'createUnknown', detail: input.answer.detail }], [{ type: 'lookUp' }]);",
        replace: "return end('serviceUnreachable');",
      },
    ],
  },
  {
    number: 20,
    says: 'nobody adds up what has been refunded of a sale',
    edits: [
      {
        file: refundable,
        find: 'Math.max(0, capturedMinor - (elsewhereMinor ?? 0) - refundedMinor - openMinor)',
        replace: 'capturedMinor',
      },
      // The journal's own check, and the same check in the journal in memory.
      {
        file: 'main/core/journal/refunds-table.ts',
        find: 'const leftMinor = capturedMinorOf(payment) - elsewhereMinor - refundedMinor(saleId);',
        replace: 'const leftMinor = capturedMinorOf(payment);',
      },
      {
        file: 'test/simulation/memory-journal.ts',
        find: 'if (amountMinor > capturedMinorOf(payment) - (refundedElsewhere(payment) ?? 0) - refundedMinor(saleId))',
        replace: 'if (amountMinor > capturedMinorOf(payment))',
      },
    ],
  },
  {
    number: 21,
    says: 'a till that asks for its last receipt is told of a payment by hand',
    edits: [
      {
        file: 'main/core/journal/sales-table.ts',
        find: 'AND decided = 1 AND ${byTill}',
        replace: 'AND decided = 1',
      },
      // The journal in memory.
      {
        file: 'test/simulation/memory-journal.ts',
        find: "if (outcome !== null && claimantOf(payment.sale) === 'till')\n",
        replace: 'if (outcome !== null)\n',
      },
    ],
  },
  {
    number: 22,
    says: 'an action by hand that is sent again is another payment',
    edits: [
      {
        file: 'main/core/lane/sales.ts',
        find: "saleId: screenPaymentId(actionId), by: 'cashier'",
        replace: "saleId: this.#options.ids.uuid(), by: 'cashier'",
      },
    ],
  },
  {
    number: 23,
    says: 'a refund of which nobody knows whether it was made is told as refunded',
    edits: [
      {
        file: refundable,
        find: 'if (openMinor > 0 && wantedMinor <= leftMinor + openMinor)',
        replace: 'if (openMinor < 0)',
      },
      {
        file: refundable,
        find: "leftMinor + openMinor <= 0 ? 'alreadyRefunded'",
        replace: "leftMinor <= 0 ? 'alreadyRefunded'",
      },
    ],
  },
  {
    number: 24,
    says: 'a refund of which nobody knows whether it was made is asked for again with a new key',
    edits: [
      {
        file: refunds,
        find: 'refundId: await post(request, 1)',
        replace:
          'refundId: await post({ ...request, idempotencyKey: `${request.idempotencyKey.slice(0, 34)}-2` }, 1)',
      },
    ],
  },
  {
    number: 25,
    says: 'a reservation is captured whole, although less was agreed',
    edits: [
      {
        file: settling,
        find: 'wallet.capture(paymentId, { ...payment.sale, amountMinor: capturedMinorOf(payment) }',
        replace: 'wallet.capture(paymentId, payment.sale',
      },
    ],
  },
  {
    number: 26,
    says: 'a restart cancels a reservation that is held',
    edits: [
      {
        file: decideHeld,
        find: "    case 'retryDue':\n    case 'restarted':\n      return onlyEffects(poll(payment));",
        replace:
          "    case 'restarted':\n      return decision([{ type: 'cancelIntended', reason: 'interrupted' }], [{ type: 'conclude' }, cancel(payment)]);\n    case 'retryDue':\n      return onlyEffects(poll(payment));",
      },
    ],
  },
  {
    number: 27,
    says: 'a reservation that the service has let expire is held for ever',
    edits: [
      {
        file: decideHeld,
        find: "    case 'expired':\n      return decision([{ type: 'ended', reason: 'expired' }]);\n",
        replace: '',
      },
    ],
  },
  {
    number: 28,
    says: 'what the cashier had typed is sent and captured, not what was agreed after the check-in',
    edits: [
      {
        file: 'main/core/settlement/apply.ts',
        find: 'amountMinor: event.amountMinor, typedMinor: sale.amountMinor',
        replace: 'typedMinor: sale.amountMinor',
      },
    ],
  },
  {
    number: 29,
    says: 'of goods that were handed out in part, all is captured',
    edits: [
      {
        file: decidePayment,
        find: "decision([{ type: 'tillAcknowledged', handedOutMinor }], capture(payment))",
        replace: 'onAcknowledged(payment)',
      },
    ],
  },
  {
    number: 30,
    says: 'what a till asks to be done with a reservation is decided before the till has acknowledged it',
    edits: [
      {
        file: telling,
        find: 'isAcknowledged = await telling.deliverResult(result, receipt',
        replace:
          'end = terminal.commands.endBooking(booking, true);\n    isAcknowledged = await telling.deliverResult(result, receipt',
      },
      {
        file: telling,
        find: 'end = terminal.commands.endBooking(booking, isAcknowledged && !telling.isLost);',
        replace: "if (!isAcknowledged) end = 'notAcknowledged';",
      },
    ],
  },
  {
    number: 31,
    says: 'a booking that is repeated for another amount is told as done',
    edits: [
      {
        file: reservations,
        find: 'asked.kind === done.kind && asked.amountMinor === done.amountMinor',
        replace: 'asked.kind === done.kind',
      },
    ],
  },
  {
    number: 32,
    says: 'a reservation that a till gives back is captured',
    edits: [
      {
        file: reservations,
        find: "isDecided && (kind === 'capture' ? settlements",
        replace: 'isDecided && (amountMinor > 0 ? settlements',
      },
    ],
  },
  {
    number: 33,
    says: 'a restart carries out a booking that the till has not acknowledged',
    edits: [
      {
        file: decideHeld,
        find: "    case 'retryDue':\n    case 'restarted':\n      return onlyEffects(poll(payment));",
        replace: `    case 'restarted':
      if (payment.reservation.booking?.kind === 'capture')
        return decision([{ type: 'captureIntended', amountMinor: payment.reservation.booking.amountMinor }], [{ type: 'capture', ...idOf(payment) }]);
      return onlyEffects(poll(payment));
    case 'retryDue':
      return onlyEffects(poll(payment));`,
      },
    ],
  },
  {
    number: 34,
    says: 'what a till did not use of a reservation (06 23) is captured',
    edits: [
      {
        file: reservations,
        find: 'reservedMinor - (amountMinor ?? 0);',
        replace: '(amountMinor ?? reservedMinor);',
      },
    ],
  },
  {
    number: 35,
    says: 'on the newer service, what is reserved is captured while the till is still being told',
    service: 'epayment',
    edits: [
      {
        file: decidePayment,
        find: "return decision([captureIntended(polled)], [{ type: 'offer' }]);",
        replace:
          "return decision([captureIntended(polled)], [{ type: 'offer' }, { type: 'capture', ...idOf(payment) }]);",
      },
    ],
  },
  {
    number: 36,
    says: 'a cancel that was refused because the customer was faster is taken as done',
    service: 'epayment',
    edits: [
      {
        file: decidePayment,
        find: "return answer.kind === 'done' ? end(payment.stop)",
        replace: "return answer.kind !== 'unknown' ? end(payment.stop)",
      },
    ],
  },
  {
    number: 37,
    says: 'a refund in one step that was not answered is asked for again with a new key',
    service: 'epayment',
    edits: [
      {
        file: refundsInOneStep,
        find: 'const isRefused = await post(request)',
        replace:
          'const isRefused = await post({ ...request, idempotencyKey: `${idempotencyKey.slice(0, 34)}-2` })',
      },
    ],
  },
  {
    number: 38,
    says: 'a payment is changed a sixth time within the minute',
    service: 'epayment',
    edits: [{ file: changeGate, find: 'const maxChanges = 5;', replace: 'const maxChanges = 6;' }],
  },
  {
    number: 39,
    says: 'after a change of the service, the one in use is asked about what was begun at the one before',
    service: 'change',
    edits: [
      {
        file: wallets,
        find: 'return [wallet, formerWallet].find((one) => one?.service === service) ?? null;',
        replace: 'return wallet.service === service || formerWallet !== undefined ? wallet : null;',
      },
    ],
  },
  {
    number: 40,
    says: 'a refund is begun at the service in use, and not where its payment was',
    service: 'change',
    edits: [
      {
        file: refundsOfLane,
        find: 'const { service } = sale;',
        replace: 'const { service } = this.#options.wallet;',
      },
    ],
  },
  {
    number: 41,
    says: 'a capture or cancel that is answered 204 is taken as done',
    edits: [
      {
        file: settle,
        find: "return onlyEffects<SharedEffect<Id>>({ type: 'poll', ...id, confirms: true });",
        replace: 'return decision([done]);',
      },
    ],
  },
  {
    number: 42,
    says: 'a poll after a capture or cancel that was answered 204 is taken as done, whatever it shows',
    edits: [
      {
        file: settle,
        find: '  if (confirms === undefined) return null;\n',
        replace:
          "  if (confirms === undefined) return null;\n  if (state.kind === 'capturing') return decision([{ type: 'captured' }]);\n",
      },
    ],
  },
  {
    number: 43,
    says: 'after a standstill, timers run before the input that was sent meanwhile is read',
    edits: [
      {
        file: clock,
        find: 'if (deferrals < maxDeferrals && this',
        replace: 'if (deferrals < 0 && this',
      },
      { file: clock, find: 'cancel = this.#loop.afterRead(run);', replace: 'run();' },
      { file: clock, find: '      this.#stoodStillMs += lateMs;\n', replace: '' },
    ],
  },
  {
    number: 44,
    says: 'a payment is begun although its currency stands behind a bitmap that nobody knows',
    edits: [
      {
        file: moneyPackets,
        find: 'const hidden = hiddenFact(command, packet);',
        replace: 'const hidden = command === null ? hiddenFact(command, packet) : null;',
      },
    ],
  },
  {
    number: 45,
    says: 'a status enquiry is completed in the middle of a payment, and the till takes that 06 0F for "paid"',
    edits: [
      {
        file: 'main/tills/zvt/service-commands.ts',
        find: 'if (connection.awaitsMoney) return connection.refuse(RESULT.pleaseWait);',
        replace: '',
      },
    ],
  },
];
