/** Implements `preload/procedures/setup-customer.ts`. */
import { isDeepStrictEqual } from 'node:util';
import type { ParsedInputOf } from '../../../preload/procedures.ts';
import { Refusal } from '../../../preload/procedures/procedure.ts';
import type { CustomersSee, PictureName } from '../../../preload/procedures/setup-customer.ts';
import type { Handlers } from '../server/router.ts';
import type { Session } from '../server/session.ts';
import type { LaneSettings, Settings, ShopSettings } from '../settings/schema.ts';
import { addressesHere, requirePersonFor, tryToListen } from './displays.ts';
import type { SetupHost } from './setup-host.ts';
import { SentPictures, ShopFiles } from './shop-files.ts';

interface CustomerScreensSetupOptions {
  readonly host: Pick<SetupHost, 'settings' | 'change' | 'displaysPort' | 'requirePerson'>;
  readonly dataFolder: string;
}

/** Sets up what customers see: the shop's name and pictures, check-in, and displays. */
export class CustomerScreensSetup {
  readonly #host: CustomerScreensSetupOptions['host'];
  readonly #files: ShopFiles;
  readonly #pictures = new SentPictures();

  constructor({ host, dataFolder }: CustomerScreensSetupOptions) {
    this.#host = host;
    this.#files = new ShopFiles(dataFolder);
  }

  readonly handlers: Handlers = {
    customersSee: () => this.#seen(),

    picturePart: (asked, session) => ({ type: this.#pictures.take(asked, session) }),

    changeCustomersSee: async (asked, session) => {
      const before = this.#settings();
      await this.#checkDisplays(asked.displays, before, session);
      const pictures = this.#newPictures(asked, session);
      const changed = (settings: Settings): Settings =>
        settingsWith(settings, asked, shopWith(settings.shop ?? {}, asked, pictures));
      // With the ePayment service another name of the shop opens the lanes anew, so a change is
      // made only when something differs.
      if (!isDeepStrictEqual(changed(before), before)) {
        let replaced = before;
        await this.#host.change((inUse) => changed((replaced = inUse ?? before)));
        // The previous settings file still names its pictures.
        this.#files.keepOnly(
          [replaced, changed(replaced)].flatMap((one) => [one.shop?.logo, one.shop?.picture]),
        );
      }
      this.#pictures.forget(session);
      return this.#seen();
    },
  };

  async #seen(): Promise<CustomersSee> {
    const { shop, screens, lanes, wallet } = this.#settings();
    return {
      shopName: shop?.name ?? null,
      address: shop?.address ?? null,
      vat: shop?.vat ?? null,
      merchantVat: 'merchantVat' in wallet ? wallet.merchantVat : null,
      pictures: { logo: shop?.logo !== undefined, picture: shop?.picture !== undefined },
      lanes: lanes.map((lane) => ({
        laneId: lane.id,
        name: lane.name,
        checkInFirst: lane.checkInFirst,
        cannot: cannotCheckInFirst(lane),
      })),
      displays: screens?.customerDisplays ?? null,
      servedAt: await this.#host.displaysPort(),
      addresses: addressesHere(),
    };
  }

  /** @throws Refusal notHere */
  #settings(): Settings {
    const settings = this.#host.settings();
    if (settings === null) throw new Refusal('notHere', 'nothing is set up yet');
    return settings;
  }

  /** @throws Refusal portTaken, hostNotHere, pinNeeded */
  async #checkDisplays(
    wanted: ParsedInputOf<'changeCustomersSee'>['displays'],
    { screens }: Settings,
    session: Session,
  ): Promise<void> {
    const now = screens?.customerDisplays;
    if (wanted === null || (now?.host === wanted.host && now.port === wanted.port)) return;
    requirePersonFor(wanted, this.#host, session);
    // Then our own display server has the port.
    const isOurs = (await this.#host.displaysPort()) === wanted.port;
    await tryToListen(wanted.host, isOurs ? 0 : wanted.port);
  }

  /** Written, where they were sent. @throws Refusal */
  #newPictures(asked: ParsedInputOf<'changeCustomersSee'>, session: Session): NewPictures {
    const fileOf = (name: PictureName): string | null =>
      asked[name] === 'sent' ? this.#files.write(name, this.#pictures.sent(name, session)) : null;
    return {
      ...(asked.logo !== 'keep' && { logo: fileOf('logo') }),
      ...(asked.picture !== 'keep' && { picture: fileOf('picture') }),
    };
  }
}

/** A picture that is null is removed; one that is missing is left as it is. */
type NewPictures = { readonly [name in PictureName]?: string | null };

type ShopAsked = Pick<ParsedInputOf<'changeCustomersSee'>, 'shopName' | 'address' | 'vat'>;

function shopWith(
  before: ShopSettings,
  { shopName, address, vat }: ShopAsked,
  { logo = before.logo, picture = before.picture }: NewPictures,
): ShopSettings {
  const words = {
    ...(shopName !== null && { name: shopName }),
    ...(address !== null && { address }),
    ...(vat !== null && { vat }),
  };
  return { ...words, ...(logo != null && { logo }), ...(picture != null && { picture }) };
}

/** A rule of the settings' schema, checked here so that the screen can name the reason. */
const cannotCheckInFirst = ({ pointOfSale }: LaneSettings): 'paymentFirst' | null =>
  pointOfSale.requirePaymentBeforeCheckin ? 'paymentFirst' : null;

function settingsWith(
  before: Settings,
  { lanes, displays }: ParsedInputOf<'changeCustomersSee'>,
  shop: ShopSettings,
): Settings {
  const {
    shop: _shop,
    screens: { customerDisplays: _displays, ...screens } = {},
    ...rest
  } = before;
  const allScreens = { ...screens, ...(displays !== null && { customerDisplays: displays }) };
  return {
    ...rest,
    ...(Object.keys(shop).length > 0 && { shop }),
    ...(Object.keys(allScreens).length > 0 && { screens: allScreens }),
    lanes: before.lanes.map((lane) => ({
      ...lane,
      checkInFirst:
        lanes.find(({ laneId }) => laneId === lane.id)?.checkInFirst ?? lane.checkInFirst,
    })),
  };
}
