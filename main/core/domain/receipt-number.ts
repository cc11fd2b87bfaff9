/** Receipts of a lane are numbered from 1 to this, then from 1 again. */
export const maxReceiptNumber = 9_999;
const maxTraceNumber = 999_999;

interface Numbers {
  readonly receiptNumber: number;
  readonly traceNumber: number;
}

/** @param last of the lane; null before its first receipt */
export function numbersAfter(last: Numbers | null): Numbers {
  const { receiptNumber, traceNumber } = last ?? { receiptNumber: 0, traceNumber: 0 };
  return {
    receiptNumber: (receiptNumber % maxReceiptNumber) + 1,
    traceNumber: (traceNumber % maxTraceNumber) + 1,
  };
}

/** As tills and receipts show it: `0042`. */
export const receiptDigits = (receiptNumber: number): string =>
  String(receiptNumber).padStart(4, '0');
