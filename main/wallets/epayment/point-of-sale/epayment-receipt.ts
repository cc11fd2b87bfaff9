import type { OperationBody } from '../../http/operation.ts';
import type { CreateRequest } from '../../../core/lane/wallet-port.ts';
import type { createEpayment } from '../payments/payments-operations.ts';

type Receipt = NonNullable<OperationBody<typeof createEpayment>['receipt']>;

/**
 * The order lines for the customer's app (document 5, section 2.4). undefined without lines from
 * the till: a single line with the total would need an invented tax.
 */
export function receiptOf(
  { lines, currency }: Pick<CreateRequest, 'lines' | 'currency'>,
  posId: string | undefined,
): Receipt | undefined {
  if (lines === undefined) return undefined;
  return {
    orderLines: lines.map(
      (
        { name, id, totalMinor, taxMinor, taxRate, quantity, unit, unitPriceMinor, discountMinor },
        index,
      ) => {
        const unitInfo = {
          ...(unitPriceMinor !== undefined && { unitPrice: unitPriceMinor }),
          ...(quantity !== undefined && { quantity }),
          ...(unit !== undefined && { quantityUnit: unit }),
        };
        const lineId = id?.trim() ? id : String(index + 1);
        return {
          // The service takes no empty text.
          name: name.trim() === '' ? lineId : name,
          id: lineId,
          totalAmount: totalMinor,
          totalAmountExcludingTax: totalMinor - taxMinor,
          totalTaxAmount: taxMinor,
          ...(taxRate !== undefined && { taxRate }),
          ...(Object.keys(unitInfo).length > 0 && { unitInfo }),
          ...(discountMinor !== undefined && { discount: discountMinor }),
        };
      },
    ),
    bottomLine: { currency, ...(posId !== undefined && { posId }) },
  };
}
