import type { ServiceName } from '../../core/domain/sale.ts';
import type { Monitoring } from '../monitoring/monitoring.ts';
import type { LaneSettings } from '../settings/schema.ts';
import type { HttpSend } from '../../wallets/http/http.ts';
import type { MerchantPayments, PointOfSaleClient } from '../../core/lane/wallet-port.ts';
import type { SalesUnitStickers } from './sticker-records.ts';
import type { System } from './system.ts';

type LaneAtService = Pick<
  LaneSettings,
  'id' | 'pointOfSale' | 'sticker' | 'restrictions' | 'merchantPaymentLabel'
>;

/** A wallet service, and its clients for each lane. */
export interface OpenedService {
  readonly name: ServiceName;
  counterOf(lane: LaneAtService): PointOfSaleClient;
  /** Checks only whether the service answers, which is not logged. @throws as `Transport.call` */
  isThere(lane: LaneAtService, signal: AbortSignal): Promise<void>;
  readonly merchantPayments: MerchantPayments;
  /** Missing for a service without stickers. */
  readonly stickers?: SalesUnitStickers;
}

export interface ServiceNetwork extends System {
  readonly send: HttpSend;
  readonly observe?: Monitoring['serviceCalled'];
}
