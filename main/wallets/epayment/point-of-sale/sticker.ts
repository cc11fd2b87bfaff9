/**
 * The sticker at a till (document 5, section 3.2): the service tells the shop's receiver who scans
 * it.
 */
import { messageOf } from '../../../core/domain/errors.ts';
import { InvalidRequestError, ServiceRefusedError } from '../../http/errors.ts';
import type { Transport } from '../../http/transport.ts';
import type { StickerAnswer } from '../../../core/lane/wallet-port.ts';
import {
  adoptBeacon,
  deleteCallbackQr,
  getCallbackQr,
  putCallbackQr,
} from '../qr/qr-operations.ts';
import { isDefinite } from './epayment-answers.ts';
import { type CodeForm, codeOf, size } from './payment-code.ts';

export interface StickerSettings {
  /**
   * An id of ours that is chosen once, or the beacon id of a printed sticker of the point-of-sale
   * service, which is then used here.
   */
  readonly merchantQrId: string;
  readonly isBeacon: boolean;
  /** Description in the app: at most 36 characters. */
  readonly description: string;
}

interface Place {
  readonly transport: Transport;
  readonly baseUrl: string;
  readonly codeForm: CodeForm;
}

/** Reads the code each time, because its picture's address may change. */
export function stickerOf(
  { transport, baseUrl, codeForm }: Place,
  { merchantQrId, isBeacon, description }: StickerSettings,
) {
  return async (): Promise<StickerAnswer> => {
    try {
      const body = { locationDescription: description };
      if (isBeacon) await transport.call(adoptBeacon, { beaconId: merchantQrId, body });
      else
        await transport.call(putCallbackQr, {
          merchantQrId,
          body: { ...body, category: 'IN_STORE' },
        });
      const { qrContent, qrImageUrl } = await transport.call(getCallbackQr, {
        merchantQrId,
        query: { qrImageFormat: 'PNG', qrImageSize: size },
      });
      const code = codeOf(codeForm, codeForm === 'text' ? qrContent : qrImageUrl, baseUrl);
      return code === null
        ? { kind: 'unknown', detail: 'the service names no code that could be shown' }
        : { kind: 'there', code };
    } catch (error) {
      const isRefused = error instanceof InvalidRequestError || isDefinite(error);
      return { kind: isRefused ? 'refused' : 'unknown', detail: messageOf(error) };
    }
  };
}

/** Succeeds when the sticker is gone already. @throws as `Transport.call` */
export async function endSticker(
  transport: Transport,
  merchantQrId: string,
  signal?: AbortSignal,
): Promise<void> {
  try {
    await transport.call(deleteCallbackQr, { merchantQrId }, { ...(signal && { signal }) });
  } catch (error) {
    if (!(error instanceof ServiceRefusedError && error.status === 404)) throw error;
  }
}
