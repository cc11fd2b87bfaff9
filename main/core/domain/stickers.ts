/** What a counter, its callback receiver and the ePayment service agree on about stickers. */

/** Ours, chosen once; the service names no characters, so those that need no escape. */
export const merchantQrIdPattern = /^[a-zA-Z0-9._~-]{1,64}$/;
export const merchantQrIdRule = 'must be 1 to 64 letters, digits and the signs . _ ~ -';

/** Id of a printed sticker or a device of the point-of-sale service (document 4, section 1.6). */
export const beaconIdPattern = /^(\d{15}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/;
export const beaconIdRule = 'must be 15 digits or a UUID';

/** The token with which a counter asks its receiver, too long to be guessed. */
export const followToken = /^[\w.~+/=-]{32,200}$/;
export const followTokenRule = 'must be 32 to 200 letters, digits and . _ ~ + / = -';

/** The id of a sticker's code at the provider: our own, or the beacon's that it takes over. */
export const stickerId = ({
  id,
  beaconId,
}: {
  readonly id?: string | undefined;
  readonly beaconId?: string | undefined;
}): string => id ?? beaconId ?? '';

export const stickerRule =
  'needs receiver: a scan reaches this counter through a callback receiver alone';
