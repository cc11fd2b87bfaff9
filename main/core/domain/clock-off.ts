/** This computer's clock beside the wallet service's. */

/** Beyond this, times on receipts and at the service differ noticeably: people are told. */
const noticeSeconds = 60;
/**
 * A larger difference is a clock that is set wrong; beyond it tokens and certificates stop working.
 */
const tooFarSeconds = 300;

/**
 * How far this computer's clock is ahead, in seconds. @param dateMs the date of the service's
 * answer
 */
export const secondsAhead = (wallMs: number, dateMs: number): number =>
  Math.round((wallMs - dateMs) / 1000);

export const isClockToTell = (seconds: number | null): seconds is number =>
  seconds !== null && Math.abs(seconds) > noticeSeconds;

export const isClockTooFar = (seconds: number | null): seconds is number =>
  seconds !== null && Math.abs(seconds) > tooFarSeconds;
