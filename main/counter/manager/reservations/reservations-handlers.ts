/**
 * Implements `preload/procedures/reservations.ts`: what a manager decides about a reservation, its
 * lane carries out.
 */
import { journalUnwritable } from '../../../core/domain/errors.ts';
import type { Lane } from '../../../core/lane/lane.ts';
import type { Handlers } from '../../server/router.ts';
import { Refusal } from '../../../../preload/procedures/procedure.ts';

type ReservingLane = Pick<
  Lane,
  'id' | 'name' | 'snapshot' | 'captureReservation' | 'releaseReservation'
>;

export function reservationHandlers({
  lanes,
}: {
  readonly lanes: () => readonly ReservingLane[];
}): Handlers {
  return {
    reservations() {
      const open = lanes().flatMap((lane) =>
        lane
          .snapshot()
          .reservations.map((held) => ({ ...held, laneId: lane.id, laneName: lane.name })),
      );
      return { reservations: open.toSorted((one, other) => endOf(one) - endOf(other)) };
    },
    captureReservation: ({ laneId, saleId, amountMinor }, { manager }) =>
      answered(
        laneOf(laneId).captureReservation(saleId, amountMinor, manager?.name ?? ''),
        amountMinor,
      ),
    cancelReservation: ({ laneId, saleId }) =>
      answered(laneOf(laneId).releaseReservation(saleId), null),
  };

  /** @throws Refusal `laneNotReady` */
  function laneOf(laneId: string): ReservingLane {
    const lane = lanes().find(({ id }) => id === laneId);
    if (lane === undefined)
      throw new Refusal('laneNotReady', `there is no lane ${laneId}`, { field: 'laneId' });
    return lane;
  }
}

const endOf = ({ expiresAtMs }: { readonly expiresAtMs: number | null }): number =>
  expiresAtMs ?? Number.MAX_SAFE_INTEGER;

/** @throws Refusal */
function answered(
  answer: ReturnType<Lane['captureReservation']>,
  amountMinor: number | null,
): Record<string, never> {
  if (answer.accepted) return {};
  switch (answer.reason) {
    case 'notHeld':
      throw new Refusal('notHeld', 'this reservation was captured or cancelled, or has expired', {
        field: 'saleId',
      });
    case 'amountTooSmall':
    case 'amountTooHigh':
      throw new Refusal(answer.reason, `not as much as is reserved: ${amountMinor} minor units`, {
        field: 'amountMinor',
      });
    case 'laneNotReady':
      throw new Refusal('laneNotReady', 'the clock is not known to be right');
    case 'wholeAmountOnly':
      throw new Refusal(
        'wholeAmountOnly',
        'the service captures all of this reservation or nothing',
        { field: 'amountMinor' },
      );
    case 'storageFailed':
      throw new Refusal('storageFailed', journalUnwritable);
  }
}
