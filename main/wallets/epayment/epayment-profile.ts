import type { TransportProfile } from '../http/transport.ts';
import type { EpaymentInterfaceName } from './epayment-interfaces.ts';

/** The service has the same names everywhere (document 5, sections 1.1 and 2 to 6). */
export const epaymentProfile = {
  headerPrefix: '',
  paths: {
    accessToken: '/accesstoken',
    epayment: '/epayment/v1',
    qr: '/qr/v1',
    webhooks: '/webhooks/v1',
    settlement: '/settlement/v1',
    report: '/report/v2',
    management: '/management/v1',
  } satisfies Record<EpaymentInterfaceName, string>,
  limits: {},
} as const satisfies TransportProfile;
