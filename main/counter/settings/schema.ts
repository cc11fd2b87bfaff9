/**
 * The schema of a counter PC's settings file. `assets/settings.schema.json` is generated from it
 * for editors.
 */
import { z } from 'zod';
import {
  BaudRate,
  BeaconId,
  BeaconTypes,
  FilledServiceText,
  KeptRecording,
  LaneId,
  oneLine,
  PoiId,
  Refunds,
  ShopAddress,
  ShopName,
  ShopVat,
  TcpPort,
  TillAddresses,
} from '../../core/domain/field-rules.ts';
import { currencies } from '../../core/domain/money.ts';
import { eightBitFormatSettings, serialFormatSettings } from '../../core/domain/serial-format.ts';
import { languages } from '../../core/domain/languages.ts';
import { networkSettings } from '../../core/domain/network-settings.ts';
import { mostOrigins, serviceAddress, webOrigin } from '../../core/domain/service-address.ts';
import { isOfThisMachineAlone } from '../../core/domain/this-machine.ts';
import {
  deviationSettings,
  stopBitsSetting,
  terminalIdSetting as terminalId,
} from '../../core/domain/till-profiles.ts';
import { adapterRule, namesAdapter, parseAdapter } from '../../core/domain/usb-adapter.ts';
import type { ShopOnPaper } from '../../core/domain/shop.ts';
import { merchantQrIdPattern, merchantQrIdRule } from '../../core/domain/stickers.ts';
import { usualPorts } from '../../core/domain/usual-ports.ts';
import { Version } from '../../core/domain/versions.ts';
import { settingShape } from '../../../preload/procedures/setup-field.ts';
import { laneFields, pointOfSaleFields } from '../../../preload/procedures/setup-lane-fields.ts';
import {
  currenciesOf,
  FormerWallet,
  SecretTillPassword,
  serviceOf,
  Wallet,
  isForTests,
} from './wallet.ts';
import { Secret } from '../../support/settings/secrets.ts';

const PointOfSale = z.strictObject({
  merchantPosId: FilledServiceText.describe(
    'Your own name for this point of sale, unique within the merchant.',
  ),
  storeId: z
    .guid('must be a UUID')
    .optional()
    .describe(
      'The store, as the wallet service knows it. Of the point-of-sale interface alone, which needs it.',
    ),
  name: FilledServiceText.describe(
    'What the customer reads after checking in, e.g. "Check-out 1".',
  ),
  beaconTypes: BeaconTypes.default(['QR']).describe(
    'How customers find it. With the ePayment interface each payment has a code of its own on the screens.',
  ),
  beaconId: BeaconId.nullable()
    .default(null)
    .describe('From the sticker or the device; null lets the service choose one.'),
  ...settingShape(pointOfSaleFields),
  callbackAlias: FilledServiceText.nullable()
    .optional()
    .describe(
      'How the service names the address of your notification service. null: none. Left out: as the point of sale at the service has it.',
    ),
});

const Sticker = z
  .strictObject({
    id: z
      .string()
      .regex(merchantQrIdPattern, merchantQrIdRule)
      .optional()
      .describe('Your own name for its code, unique within the sales unit.'),
    beaconId: BeaconId.optional().describe(
      'Instead of an id: of a printed sticker of the point-of-sale interface, which is taken over.',
    ),
  })
  .refine(
    ({ id, beaconId }) => (id === undefined) !== (beaconId === undefined),
    'must name either id or beaconId',
  )
  .describe(
    'A code at the till that customers scan, before or after the amount: with the ePayment interface, flow prepare and a receiver.',
  );

const Receiver = z.strictObject({
  url: serviceAddress.describe(
    'Where the callback receiver is (npm run callbacks), on this machine or another; /follow is below it.',
  ),
  token: Secret.describe('As in followers of its settings. As clientSecret.'),
});

const Restrictions = z.strictObject({
  debitCardDisallowed: z.boolean().default(false).describe('true: no debit cards.'),
  creditCardDisallowed: z.boolean().default(false).describe('true: no credit cards.'),
});

/** What a till may do. The defaults depend on the line, see `main/tills/zvt/permissions.ts`. */
const tillPermissions = {
  password: SecretTillPassword.optional(),
  refunds: Refunds.optional().describe(
    'Whether the till may give money back; a number: at most so much of one payment, in minor units. Left out: over TCP from another machine only with the password, otherwise yes.',
  ),
  partialReversals: z
    .boolean()
    .optional()
    .describe(
      'true: the amount of a reversal (06 30) is the part to give back. Left out: it is a check, and one that is not the whole payment is refused, so that a mistyped receipt number refunds nobody else.',
    ),
  record: KeptRecording.optional().describe(
    'true, or until when, such as 2026-11-24T18:00:00Z: what goes over the line is kept in recordings/ of the data folder, without passwords, card data and loyalty. Left out: only when a manager asks for it.',
  ),
};

const from = TillAddresses.min(
  1,
  'must name at least one address; leave it out to let every address connect',
)
  .optional()
  .describe(
    'The addresses and networks that may connect as the till, e.g. 192.168.1.40 or 192.168.1.0/24. Left out: all.',
  );

const serialPort = {
  path: z
    .string()
    .min(1)
    .refine((path) => !namesAdapter(path) || parseAdapter(path) !== null, adapterRule)
    .describe(
      'A port, e.g. /dev/ttyUSB0, /dev/serial/by-id/…, COM3; or a USB adapter whatever its port is called, e.g. usb:0403:6001:A50285BI',
    ),
  baudRate: BaudRate.default(9600).describe('Bit/s.'),
};

const Scanner = z
  .strictObject(serialPort)
  .describe(
    "A scanner at a serial port, which reads the codes in customers' apps. One that types as a keyboard needs no setting.",
  );

const SerialTill = z.strictObject({
  protocol: z.literal('zvt').describe('ZVT.'),
  transport: z.literal('serial').describe('A cable.'),
  ...serialPort,
  ...eightBitFormatSettings,
  stopBits: stopBitsSetting,
  terminalId,
  ...deviationSettings,
  ...tillPermissions,
});

const TcpTill = z.strictObject({
  protocol: z.literal('zvt').describe('ZVT.'),
  transport: z.literal('tcp').describe('The network.'),
  host: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('The address to listen on. Anyone who reaches it can start payments.'),
  port: TcpPort.default(usualPorts.zvt).describe('0: any free one.'),
  from,
  terminalId,
  ...deviationSettings,
  ...tillPermissions,
});

/** Concert (Caisse-AP), of tills in France: payments alone. */
const ConcertSerialTill = SerialTill.pick({ transport: true, path: true, baudRate: true }).extend({
  protocol: z.literal('concert').describe('Concert (Caisse-AP).'),
  stopBits: z
    .union([z.literal(1), z.literal(2)])
    .default(1)
    .describe('Of the serial line.'),
  ...serialFormatSettings,
});

const ConcertTcpTill = z.strictObject({
  protocol: z.literal('concert').describe('Concert (Caisse-AP).'),
  transport: z.literal('tcp').describe('The network.'),
  host: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('The address to listen on. Anyone who reaches it can start payments.'),
  port: TcpPort.default(usualPorts.concert).describe('0: any free one.'),
  from,
});

/** Nexo Retailer in the JSON of local terminal APIs, at /nexo beside the HTTP API. */
const Nexo = z.strictObject({
  poiId: PoiId.describe(
    'POIID: how the till calls this terminal. A message for another one is refused.',
  ),
  key: z
    .strictObject({
      identifier: z.string().min(1).max(128).describe('KeyIdentifier.'),
      version: z.int().min(0).max(999_999_999).describe('KeyVersion.'),
      passphrase: Secret.describe(
        'At least 16 characters of printable ASCII, best random ones. As wallet.clientSecret.',
      ),
    })
    .optional()
    .describe(
      'What the till and this terminal share: messages are encrypted and signed with it. Left out: they come with a token of the till alone.',
    ),
});

const HttpTill = z
  .strictObject({
    protocol: z.literal('http').describe('The HTTP API, or Nexo.'),
    nexo: Nexo.optional().describe(
      'The till speaks Nexo Retailer (SaleToPOIRequest) instead of the operations of the HTTP API: docs/nexo.md.',
    ),
  })
  .describe(
    'A till that is software: it asks over the HTTP API (api), with a token that a manager makes for it.',
  );

export const LaneSettings = z.strictObject({
  id: LaneId.describe('Part of every order id.'),
  name: oneLine(36).describe('What people read. Setup gives no two lanes the same.'),
  currency: z
    .enum(currencies)
    .describe('Of its payments. An amount of the till in another currency is declined.'),
  ...settingShape(laneFields),
  checkInFirst: z
    .boolean()
    .default(false)
    .describe(
      "true: the customer's and the cashier's screen ask customers to check in from the start, with the QR code, a tag or a box, while goods are still being scanned.",
    ),
  restrictions: Restrictions.optional().describe(
    'Cards with which customers may not pay here. Left out: every card.',
  ),
  customerTypesNumber: z
    .boolean()
    .default(false)
    .describe(
      "true: customers can type their telephone number at the customer's screen of this computer, by touch. With the ePayment interface and flow prepare.",
    ),
  pointOfSale: PointOfSale.describe('The lane as the provider knows it.'),
  sticker: Sticker.optional(),
  scanner: Scanner.optional(),
  till: z
    .discriminatedUnion('protocol', [
      z.discriminatedUnion('transport', [SerialTill, TcpTill]),
      z.discriminatedUnion('transport', [ConcertSerialTill, ConcertTcpTill]),
      HttpTill,
    ])
    .describe('The cash register, and what it may do.'),
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
    'On one line, e.g. "Nørregade 12, 1165 København K": on receipts and closing reports.',
  ),
  vat: ShopVat.optional().describe(
    'The VAT number on receipts and closing reports. Left out: wallet.merchantVat.',
  ),
  logo: ShopPicture.optional().describe(
    'e.g. "shop/logo.svg", below the data folder; at most 4 MB.',
  ),
  picture: ShopPicture.optional().describe(
    "What the customer's screen shows while nobody pays. As logo.",
  ),
});
export type ShopSettings = z.infer<typeof Shop>;

const CustomerDisplays = z.strictObject({
  host: z
    .string()
    .min(1)
    .max(200)
    .describe(
      'An address of this machine, or 0.0.0.0 for all of them. Whoever reaches it sees amounts and the QR code.',
    ),
  port: TcpPort.default(usualPorts.customerDisplays).describe('0: any free one.'),
});
export type CustomerDisplaySettings = z.infer<typeof CustomerDisplays>;

const TlsFiles = z.strictObject({
  certificate: z
    .string()
    .min(1)
    .describe(
      'A PEM file with the certificate and those between it and its authority. A relative path begins at the settings.',
    ),
  key: z
    .strictObject({ file: z.string().min(1).describe('The path of that file.') })
    .describe(
      'Its private key, a PEM file without a passphrase. A relative path begins at the settings.',
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
        'The address to listen on; 0.0.0.0 for all of this machine. With any but 127.0.0.1, ::1 and localhost tls has to be there.',
      ),
    port: TcpPort.default(usualPorts.api).describe('0: any free one.'),
    tls: TlsFiles.optional().describe('Left out: HTTP without encryption, to this machine alone.'),
    names: ownNames.describe(
      'Further names by which tills reach it, e.g. "till-1.shop.example". Its addresses and this machine’s own name need not be named.',
    ),
    origins: z
      .array(webOrigin)
      .max(mostOrigins)
      .default([])
      .describe(
        'Of the pages that may call it from a browser. None: no page may. Browsers ask a person first, unless a policy allows it: docs/http-api.md.',
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
        'An address of this machine, or 0.0.0.0 for all of them. With any but 127.0.0.1, ::1 and localhost tls has to be there.',
      ),
    port: TcpPort.default(usualPorts.metrics).describe('0: any free one.'),
    token: Secret.describe(
      'Sent with each request as "Authorization: Bearer …": at least 32 letters and digits. As clientSecret.',
    ),
    tls: TlsFiles.optional().describe('Left out: HTTP without encryption, to this machine alone.'),
    names: ownNames.describe(
      'Further names by which it is called. Its addresses and this machine’s own name need not be named.',
    ),
  })
  .superRefine(tlsWhereOthersReach('the metrics'));

const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of the day such as 08:00');

export const UpdatesSchema = z.strictObject({
  feed: serviceAddress.describe(
    'Where the feed is; CHANNEL.json, or the CHANNEL….yml of the app, is below it.',
  ),
  publicKey: z
    .string()
    .regex(
      /^[A-Za-z0-9+/]{43}=$/,
      'must be the 32 bytes of an Ed25519 key in base64, as update-feed says them',
    )
    .describe('Of whoever signs the feed. Nothing else is installed.'),
  channel: z
    .enum(['stable', 'beta'])
    .default('stable')
    .describe('Which list of the feed is followed.'),
  pin: Version.optional().describe(
    'Only this version is installed, and never one that is older than the running one. Left out: the newest of the channel.',
  ),
  openingHours: z
    .strictObject({
      from: timeOfDay.describe('Such as 08:00.'),
      until: timeOfDay.describe('Such as 22:00.'),
    })
    .optional()
    .describe(
      'By the clock of this computer, also over midnight: nothing is installed in between. Left out, or the same time twice: whenever no lane has anything open.',
    ),
});

const Monitoring = z.strictObject({
  metrics: MetricsServer.optional().describe(
    'Serves /metrics, /healthz and /readyz to other machines. Left out: to this machine alone, where the screens are.',
  ),
  traces: z
    .strictObject({
      endpoint: serviceAddress.describe(
        'A collector that takes OpenTelemetry over HTTP (OTLP, JSON); /v1/traces is below it.',
      ),
      token: Secret.optional().describe('Sent as "Authorization: Bearer …". As clientSecret.'),
    })
    .optional()
    .describe(
      'Sends traces of payments and refunds, without anything about customers or amounts. Left out: none.',
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
  const isEpayment = serviceOf(wallet) === 'epayment';
  const needsStore =
    !isEpayment || (formerWallet !== undefined && serviceOf(formerWallet) === 'v10');
  const allowed = currenciesOf(wallet);
  for (const [index, lane] of lanes.entries()) {
    const ofLane = (path: string, message: string, input: unknown): void =>
      issue(['lanes', index, ...path.split('.')], message, input);
    const {
      currency,
      flow,
      checkInFirst,
      restrictions,
      pointOfSale,
      sticker,
      scanner,
      customerTypesNumber,
    } = lane;
    if (!allowed.includes(currency))
      ofLane('currency', `must be ${allowed.join(' or ')} with this service`, currency);
    if (needsStore && pointOfSale.storeId === undefined)
      ofLane(
        'pointOfSale.storeId',
        'must be there: the point-of-sale interface needs it',
        undefined,
      );
    if (sticker !== undefined && !isEpayment)
      ofLane(
        'sticker',
        'must be left out with the point-of-sale interface: pointOfSale.beaconTypes and beaconId are its stickers',
        sticker,
      );
    if (customerTypesNumber && !(isEpayment && flow === 'prepare'))
      ofLane(
        'customerTypesNumber',
        'must be false but with the ePayment interface and flow prepare: nobody is named otherwise',
        customerTypesNumber,
      );
    if (scanner !== undefined && !isEpayment)
      ofLane(
        'scanner',
        'must be left out with the point-of-sale interface: customers find the lane themselves',
        scanner,
      );
    if (!isEpayment) continue;
    if (scanner !== undefined && flow !== 'prepare')
      ofLane(
        'flow',
        'must be prepare with a scanner: the customer is found first, then the amount',
        flow,
      );
    if (sticker !== undefined && receiver === undefined) ofLane('sticker', stickerRule, sticker);
    if (sticker !== undefined && flow !== 'prepare')
      ofLane(
        'flow',
        'must be prepare with a sticker: the customer is found first, then the amount',
        flow,
      );
    const with_ = 'with the ePayment interface';
    if (checkInFirst && sticker === undefined)
      ofLane(
        'checkInFirst',
        `must be false ${with_} where the lane has no sticker: each payment has a code of its own`,
        checkInFirst,
      );
    if (restrictions !== undefined)
      ofLane('restrictions', `must be left out ${with_}: it takes every card`, restrictions);
    if (pointOfSale.name.length < minDescriptionLength)
      ofLane(
        'pointOfSale.name',
        `must have at least ${minDescriptionLength} characters ${with_}`,
        pointOfSale.name,
      );
  }
}

export const stickerRule =
  'needs receiver: a scan reaches this counter through a callback receiver alone';

/** What customers read beside the amount (document 5, section 2.2). */
const minDescriptionLength = 3;

export const Settings = z
  .strictObject({
    $schema: z.string().optional(),
    language: z
      .enum(languages)
      .optional()
      .describe(
        'What the screens speak where nobody has chosen; without it, what the system speaks. Receipts for a till that speaks Nexo are in it too, otherwise in English.',
      ),
    wallet: Wallet.describe('The wallet provider, and the keys to it.'),
    formerWallet: FormerWallet.optional().describe(
      'The service before a change to another: it settles what was begun there, and refunds it. To be taken out once nothing of it is open.',
    ),
    shop: Shop.optional().describe(
      "The head of receipts and reports, and the pictures of the customer's screen.",
    ),
    screens: z
      .strictObject({
        customerDisplays: CustomerDisplays.optional().describe(
          "Serves the customer's screen to other devices, which can only look. Left out: to this machine alone.",
        ),
      })
      .optional()
      .describe('The screens beyond this computer.'),
    api: Api.optional().describe(
      'The HTTP API for lanes whose till is software. Left out: as { }, where there is such a lane.',
    ),
    updates: UpdatesSchema.optional().describe(
      'The daemon updates itself, where its launcher has started it, and so does the desktop app. Left out: they do not.',
    ),
    monitoring: Monitoring.optional().describe('For whoever looks after many counters.'),
    network: networkSettings(Secret)
      .optional()
      .describe('How this counter reaches the internet, where that is not plain.'),
    receiver: Receiver.optional().describe(
      'From where scans of stickers come to this counter. Left out: no lane can have one.',
    ),
    lanes: z
      .array(LaneSettings)
      .min(1, 'must hold at least one lane')
      .describe('One for each till with its point of sale. Several run in one daemon.'),
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
      till.protocol === 'http' && till.nexo !== undefined
        ? { key: till.nexo.poiId, path: ['till', 'nexo', 'poiId'] }
        : null,
    );
    unique(({ till }) =>
      till.protocol === 'zvt' && till.terminalId !== undefined
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
      if (till.protocol !== 'http' && till.transport === 'serial')
        port(till.path, 'lanes', index, 'till', 'path');
      if (scanner !== undefined) port(scanner.path, 'lanes', index, 'scanner', 'path');
    });
    unique(({ till }) =>
      till.protocol !== 'http' && till.transport === 'tcp' && till.port !== 0
        ? { key: `${till.host}:${till.port}`, path: ['till', 'port'] }
        : null,
    );
  });

/** At the service: ours, or that of a sticker which is taken over. */
export const stickerId = ({ id, beaconId }: z.infer<typeof Sticker>): string =>
  id ?? beaconId ?? '';

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
export type ZvtSettings = Extract<LaneSettings['till'], { protocol: 'zvt' }>;
export type ConcertSettings = Extract<LaneSettings['till'], { protocol: 'concert' }>;
/** A till on a line of its own. */
export type LineSettings = ZvtSettings | ConcertSettings;

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
