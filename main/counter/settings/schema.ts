/**
 * The schema of a counter PC's settings file. `assets/settings.schema.json` is generated from it
 * for editors.
 */
import { z } from 'zod';
import {
  BeaconId,
  BeaconTypes,
  FilledServiceText,
  LaneId,
  oneLine,
  ShopAddress,
  ShopName,
  ShopVat,
  TcpPort,
} from '../../core/domain/field-rules.ts';
import { currencies } from '../../core/domain/money.ts';
import { languages } from '../../core/domain/languages.ts';
import { networkSettings } from '../../core/domain/network-settings.ts';
import { maxOrigins, serviceAddress, webOrigin } from '../../core/domain/service-address.ts';
import { isOfThisMachineAlone } from '../../core/domain/this-machine.ts';
import type { ShopOnPaper } from '../../core/domain/shop.ts';
import { merchantQrIdPattern, merchantQrIdRule, stickerId } from '../../core/domain/stickers.ts';
import { defaultPorts } from '../../core/domain/default-ports.ts';
import { Version } from '../../core/domain/versions.ts';
import { currenciesOf, FormerWallet, serviceOf, Wallet, isForTests } from './wallet.ts';
import { providerOf } from '../../wallets/wallet-providers.ts';
import { settingShape } from '../../../preload/procedures/setup-field.ts';
import { laneFields, pointOfSaleFields } from '../../../preload/procedures/setup-lane-fields.ts';
import { Secret } from '../../support/settings/secrets.ts';
import { serialPort } from '../../tills/line/line-settings.ts';
import { TillSettings } from '../../tills/protocols.ts';

const PointOfSale = z.strictObject({
  merchantPosId: FilledServiceText.describe(
    'Your own name for this point of sale, unique within the merchant.',
  ),
  storeId: z
    .guid('must be a UUID')
    .optional()
    .describe(
      "The wallet service's id of the store. Only the point-of-sale interface has it, and requires it.",
    ),
  name: FilledServiceText.describe(
    'The name that the customer reads after checking in, e.g. "Check-out 1".',
  ),
  beaconTypes: BeaconTypes.default(['QR']).describe(
    'How customers find the point of sale. With the ePayment interface the screens show one code for each payment.',
  ),
  beaconId: BeaconId.nullable()
    .default(null)
    .describe('The id on the sticker or the device. null: the service chooses one.'),
  ...settingShape(pointOfSaleFields),
  callbackAlias: FilledServiceText.nullable()
    .optional()
    .describe(
      "The service's name for the address of your notification service. null: none. Default: what the point of sale has at the service.",
    ),
});

const Sticker = z
  .strictObject({
    id: z
      .string()
      .regex(merchantQrIdPattern, merchantQrIdRule)
      .optional()
      .describe('Your own name for the code, unique within the sales unit.'),
    beaconId: BeaconId.optional().describe(
      'Instead of an id: the beacon id of a printed sticker of the point-of-sale interface, which is reused.',
    ),
  })
  .refine(
    ({ id, beaconId }) => (id === undefined) !== (beaconId === undefined),
    'must name either id or beaconId',
  )
  .describe(
    'A code at the till that customers scan, before or after the amount. It requires the ePayment interface, flow prepare and a receiver.',
  );

const Receiver = z.strictObject({
  url: serviceAddress.describe(
    'The address of the callback receiver (npm run callbacks), on this machine or another. /follow is below it.',
  ),
  token: Secret.describe(
    "The token of this counter in the receiver's setting followers. A secret like clientSecret.",
  ),
});

const Restrictions = z.strictObject({
  debitCardDisallowed: z.boolean().default(false).describe('true: debit cards are not accepted.'),
  creditCardDisallowed: z.boolean().default(false).describe('true: credit cards are not accepted.'),
});

const Scanner = z
  .strictObject(serialPort)
  .describe(
    "A scanner at a serial port, which reads the codes in customers' apps. A scanner that types as a keyboard needs no setting.",
  );

export const LaneSettings = z.strictObject({
  id: LaneId.describe('The id of the lane. Every order id contains it.'),
  name: oneLine(36).describe('The name that people read. Setup gives each lane a different name.'),
  currency: z
    .enum(currencies)
    .describe('The currency of the payments. An amount in another currency is declined.'),
  ...settingShape(laneFields),
  checkInFirst: z
    .boolean()
    .default(false)
    .describe(
      "true: the customer's and the cashier's screen ask customers to check in from the start, with the QR code, a tag or a box, while goods are still being scanned.",
    ),
  restrictions: Restrictions.optional().describe(
    'Cards that this lane does not accept. Default: every card is accepted.',
  ),
  customerTypesNumber: z
    .boolean()
    .default(false)
    .describe(
      'true: customers can type their telephone number on the touch screen of this computer. It requires the ePayment interface and flow prepare.',
    ),
  pointOfSale: PointOfSale.describe('The lane as the provider knows it.'),
  sticker: Sticker.optional(),
  scanner: Scanner.optional(),
  till: TillSettings.describe('The cash register, and what it may do.'),
});

export const pictureRule = 'must be a png, jpg, webp or svg file in the data folder';
const ShopPicture = z
  .string()
  .max(200)
  .regex(
    /^(?!.*\.\.)[\p{L}\p{N} _.()-]+(\/[\p{L}\p{N} _.()-]+)*\.(png|jpe?g|webp|svg)$/iu,
    `${pictureRule}, without ".."`,
  );

const Shop = z.strictObject({
  name: ShopName.optional().describe(
    "The merchant's name, on the customer's screen, receipts and closing reports.",
  ),
  address: ShopAddress.optional().describe(
    'The address on receipts and closing reports, on one line, e.g. "Nørregade 12, 1165 København K".',
  ),
  vat: ShopVat.optional().describe(
    'The VAT number on receipts and closing reports. Default: wallet.merchantVat.',
  ),
  logo: ShopPicture.optional().describe(
    'The logo, a file in the data folder, e.g. "shop/logo.svg". At most 4 MB.',
  ),
  picture: ShopPicture.optional().describe(
    "The picture on the customer's screen while nobody pays. A file like logo.",
  ),
});
export type ShopSettings = z.infer<typeof Shop>;

const CustomerDisplays = z.strictObject({
  host: z
    .string()
    .min(1)
    .max(200)
    .describe(
      'An address of this machine, or 0.0.0.0 for all of them. Everybody who reaches it sees amounts and the QR code.',
    ),
  port: TcpPort.default(defaultPorts.customerDisplays).describe('The port. 0: any free port.'),
});
export type CustomerDisplaySettings = z.infer<typeof CustomerDisplays>;

const TlsFiles = z.strictObject({
  certificate: z
    .string()
    .min(1)
    .describe(
      'A PEM file with the certificate and the intermediate certificates. A relative path begins at the settings.',
    ),
  key: z
    .strictObject({ file: z.string().min(1).describe('The path of that file.') })
    .describe(
      "The certificate's private key, a PEM file without a passphrase. A relative path begins at the settings.",
    ),
});

const ownNames = z
  .array(
    z
      .string()
      .regex(
        /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/,
        'must be a host name in lower case, without a port',
      ),
  )
  .max(20)
  .default([]);

/** What other machines reach is encrypted, because tokens go over it. */
const tlsWhereOthersReach =
  (what: string) =>
  (
    { host, tls }: { readonly host: string; readonly tls?: object | undefined },
    context: z.core.$RefinementCtx,
  ): void => {
    if (isOfThisMachineAlone(host) || tls !== undefined) return;
    context.addIssue({
      code: 'custom',
      path: ['tls'],
      message: `must be there where other machines reach ${what}: tokens would be readable in the network`,
    });
  };

const Api = z
  .strictObject({
    host: z
      .string()
      .min(1)
      .max(200)
      .default('127.0.0.1')
      .describe(
        'The address to listen on, or 0.0.0.0 for all addresses of this machine. Every address except 127.0.0.1, ::1 and localhost requires tls.',
      ),
    port: TcpPort.default(defaultPorts.api).describe('The port. 0: any free port.'),
    tls: TlsFiles.optional().describe(
      'The certificate for HTTPS. Default: HTTP without encryption, to this machine only.',
    ),
    names: ownNames.describe(
      'Additional host names by which tills reach it, e.g. "till-1.shop.example". The addresses and the name of this machine are always accepted.',
    ),
    origins: z
      .array(webOrigin)
      .max(maxOrigins)
      .default([])
      .describe(
        'The origins of pages that may call the API from a browser. Default: none. Browsers ask a person first, unless a policy allows it: docs/http-api.md.',
      ),
  })
  .superRefine(tlsWhereOthersReach('the HTTP API'));
export type ApiSettings = z.infer<typeof Api>;
/** Where the settings have none. */
export const defaultApi: ApiSettings = Api.parse({});

const MetricsServer = z
  .strictObject({
    host: z
      .string()
      .min(1)
      .max(200)
      .describe(
        'An address of this machine, or 0.0.0.0 for all of them. Every address except 127.0.0.1, ::1 and localhost requires tls.',
      ),
    port: TcpPort.default(defaultPorts.metrics).describe('The port. 0: any free port.'),
    token: Secret.describe(
      'The token that each request carries as "Authorization: Bearer …": at least 32 letters and digits. A secret like clientSecret.',
    ),
    tls: TlsFiles.optional().describe(
      'The certificate for HTTPS. Default: HTTP without encryption, to this machine only.',
    ),
    names: ownNames.describe(
      'Additional host names by which it is reached. The addresses and the name of this machine are always accepted.',
    ),
  })
  .superRefine(tlsWhereOthersReach('the metrics'));

const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of the day such as 08:00');

export const UpdatesSchema = z.strictObject({
  feed: serviceAddress.describe(
    'The address of the feed. CHANNEL.json, or the CHANNEL….yml of the app, is below it.',
  ),
  publicKey: z
    .string()
    .regex(
      /^[A-Za-z0-9+/]{43}=$/,
      'must be the 32 bytes of an Ed25519 key in base64, as update-feed says them',
    )
    .describe('The public key of the feed. Only what it signs is installed.'),
  channel: z.enum(['stable', 'beta']).default('stable').describe('The list of the feed to follow.'),
  pin: Version.optional().describe(
    'The only version to install. A version older than the running one is never installed. Default: the newest of the channel.',
  ),
  openingHours: z
    .strictObject({
      from: timeOfDay.describe('The time of opening, e.g. 08:00.'),
      until: timeOfDay.describe('The time of closing, e.g. 22:00.'),
    })
    .optional()
    .describe(
      'Opening hours by the clock of this computer, also over midnight. Nothing is installed during them. Default, or the same time twice: updates install whenever no lane has an open payment.',
    ),
});

const Monitoring = z.strictObject({
  metrics: MetricsServer.optional().describe(
    "Serves /metrics, /healthz and /readyz to other machines. Default: to this machine only, at the screens' address.",
  ),
  traces: z
    .strictObject({
      endpoint: serviceAddress.describe(
        'The address of a collector for OpenTelemetry over HTTP (OTLP, JSON). /v1/traces is below it.',
      ),
      token: Secret.optional().describe(
        'The token that goes with each request as "Authorization: Bearer …". A secret like clientSecret.',
      ),
    })
    .optional()
    .describe(
      'Sends traces of payments and refunds, without data about customers or amounts. Default: no traces.',
    ),
});

interface WithServices {
  readonly wallet: z.infer<typeof Wallet>;
  readonly formerWallet?: z.infer<typeof FormerWallet> | undefined;
  readonly receiver?: object | undefined;
  readonly lanes: readonly LaneSettings[];
}

/** What each service needs, and cannot do. */
function checkServices(
  { wallet, formerWallet, receiver, lanes }: WithServices,
  context: z.core.$RefinementCtx,
): void {
  const issue = (path: (string | number)[], message: string, input: unknown): void =>
    context.addIssue({ code: 'custom', path, message, input });
  if (formerWallet !== undefined && 'simulator' in wallet)
    issue(['formerWallet'], 'must be left out: the service is simulated', formerWallet);
  if (formerWallet !== undefined && serviceOf(formerWallet) === serviceOf(wallet))
    issue(
      ['formerWallet'],
      'must be of another service than wallet: what is open stays with its service',
      formerWallet,
    );
  const allowed = currenciesOf(wallet);
  for (const [index, lane] of lanes.entries()) {
    const { currency } = lane;
    if (!allowed.includes(currency))
      issue(
        ['lanes', index, 'currency'],
        `must be ${allowed.join(' or ')} with this service`,
        currency,
      );
    const former =
      formerWallet === undefined ? [] : providerOf(formerWallet).formerLaneIssues(lane);
    const inUse = providerOf(wallet).laneIssues(lane, receiver !== undefined);
    for (const { path, message, input } of [...former, ...inUse])
      issue(['lanes', index, ...path.split('.')], message, input);
  }
}

export const Settings = z
  .strictObject({
    $schema: z.string().optional(),
    language: z
      .enum(languages)
      .optional()
      .describe(
        'The default language of the screens. Default: the language of the system. It is also the language of receipts for a till that speaks Nexo; their default is English.',
      ),
    wallet: Wallet.describe('The wallet provider, and the keys to it.'),
    formerWallet: FormerWallet.optional().describe(
      'The previous service after a change. It settles and refunds the payments that were begun there. Remove it when none of them is open.',
    ),
    shop: Shop.optional().describe(
      "The head of receipts and reports, and the pictures of the customer's screen.",
    ),
    screens: z
      .strictObject({
        customerDisplays: CustomerDisplays.optional().describe(
          "Serves the customer's screen to other devices, which can only look. Default: to this machine only.",
        ),
      })
      .optional()
      .describe('The screens on other computers.'),
    api: Api.optional().describe(
      'The HTTP API for lanes whose till is software. Default: { } when there is such a lane.',
    ),
    updates: UpdatesSchema.optional().describe(
      'The daemon, when its launcher started it, and the desktop app update themselves. Default: no updates.',
    ),
    monitoring: Monitoring.optional().describe(
      'Metrics and traces for the person who looks after many counters.',
    ),
    network: networkSettings(Secret)
      .optional()
      .describe('How this counter reaches the internet, if not directly.'),
    receiver: Receiver.optional().describe(
      'The receiver that forwards scans of stickers to this counter. Required for lanes with a sticker.',
    ),
    lanes: z
      .array(LaneSettings)
      .min(1, 'must hold at least one lane')
      .describe(
        'The lanes. Each has one till and one point of sale. One daemon runs several lanes.',
      ),
  })
  .superRefine((settings, context) => {
    const { lanes } = settings;
    checkServices(settings, context);
    const unique = (
      what: (lane: LaneSettings) => { key: string; path: (string | number)[] } | null,
    ): void => {
      const seen = new Map<string, number>();
      lanes.forEach((lane, index) => {
        const one = what(lane);
        if (one === null) return;
        const first = seen.get(one.key);
        if (first === undefined) seen.set(one.key, index);
        else
          context.addIssue({
            code: 'custom',
            path: ['lanes', index, ...one.path],
            message: `must differ from lanes.${first}`,
            input: one.key,
          });
      });
    };
    const checkInFirst = (index: number, message: string): void =>
      context.addIssue({ code: 'custom', path: ['lanes', index, 'checkInFirst'], message });
    lanes.forEach((lane, index) => {
      if (!lane.checkInFirst) return;
      const { requirePaymentBeforeCheckin } = lane.pointOfSale;
      if (requirePaymentBeforeCheckin)
        checkInFirst(
          index,
          'contradicts pointOfSale.requirePaymentBeforeCheckin: nobody could check in first',
        );
    });
    unique(({ id }) => ({ key: id, path: ['id'] }));
    unique(({ sticker }) =>
      sticker === undefined ? null : { key: stickerId(sticker).toLowerCase(), path: ['sticker'] },
    );
    unique(({ pointOfSale }) => ({
      key: pointOfSale.merchantPosId,
      path: ['pointOfSale', 'merchantPosId'],
    }));
    unique(({ till }) =>
      'nexo' in till && till.nexo !== undefined
        ? { key: till.nexo.poiId, path: ['till', 'nexo', 'poiId'] }
        : null,
    );
    unique(({ till }) =>
      'terminalId' in till && till.terminalId !== undefined
        ? { key: till.terminalId, path: ['till', 'terminalId'] }
        : null,
    );
    const ports = new Map<string, string>();
    const port = (path: string, ...where: (string | number)[]): void => {
      const first = ports.get(path);
      if (first === undefined) ports.set(path, where.join('.'));
      else
        context.addIssue({
          code: 'custom',
          path: where,
          message: `must differ from ${first}`,
          input: path,
        });
    };
    lanes.forEach(({ till, scanner }, index) => {
      if ('transport' in till && till.transport === 'serial')
        port(till.path, 'lanes', index, 'till', 'path');
      if (scanner !== undefined) port(scanner.path, 'lanes', index, 'scanner', 'path');
    });
    unique(({ till }) =>
      'transport' in till && till.transport === 'tcp' && till.port !== 0
        ? { key: `${till.host}:${till.port}`, path: ['till', 'port'] }
        : null,
    );
  });

/**
 * The point of sale as the point-of-sale interface needs it. @throws Error without a store:
 * settings with that service are checked for it
 */
export function atStore({
  storeId,
  ...pointOfSale
}: LaneSettings['pointOfSale']): LaneSettings['pointOfSale'] & { readonly storeId: string } {
  if (storeId === undefined)
    throw new Error(`pointOfSale.storeId of ${pointOfSale.merchantPosId} is missing`);
  return { ...pointOfSale, storeId };
}

export type Settings = z.infer<typeof Settings>;
export type LaneSettings = z.infer<typeof LaneSettings>;
/** A till on a line of its own. */
export type LineSettings = Extract<LaneSettings['till'], { transport: string }>;

/** The head of receipts and closing reports. */
export function shopOnPaper({
  shop,
  wallet,
}: Pick<Settings, 'shop'> & { readonly wallet: Parameters<typeof isForTests>[0] }): ShopOnPaper {
  const vat = shop?.vat ?? ('merchantVat' in wallet ? String(wallet.merchantVat) : null);
  const isTest = 'simulator' in wallet || isForTests(wallet);
  return {
    name: shop?.name ?? null,
    address: shop?.address ?? null,
    vat,
    ...(isTest && { isTest }),
  };
}
