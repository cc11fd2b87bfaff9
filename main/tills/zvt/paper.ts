import { packets } from './packet-table.ts';
import { encodePacket } from './packets.ts';
import { BMP } from './bitmaps.ts';
import type { Registration } from './registration.ts';
import { encodeText } from './text.ts';
import { encodeTlv, TAG, type TlvObject } from './tlv.ts';

/** A line of what a till prints for us; a title is centred. */
export type PaperLine = string | { readonly title: string };

export interface About {
  readonly holder: 'merchant' | 'customer' | 'administration';
  readonly ended: 'done' | 'failed';
}

/** Attributes of a line (06 D1, and 09 in a block). */
const ATTRIBUTE = { plain: 0x00, centred: 0x40, last: 0x81 } as const;
/** Tag 1F07: whose copy a block is. */
const holders: Readonly<Record<About['holder'], number>> = {
  merchant: 0x01,
  customer: 0x02,
  administration: 0x03,
};
/** Tag 1F37: how the block's transaction ended. */
const endings: Readonly<Record<About['ended'], number>> = { done: 0x01, failed: 0x04 };

export const isPaper = (packet: Uint8Array): boolean =>
  [packets.printLine, packets.printTextBlock].some(
    ({ classByte, instruction }) => packet[0] === classByte && packet[1] === instruction,
  );

const textOf = (line: PaperLine): string => (typeof line === 'string' ? line : line.title);

/**
 * One piece of paper, as the till has agreed to print it: text blocks (06 D3), or line by line (06
 * D1).
 */
export function paperPackets(
  lines: readonly PaperLine[],
  about: About,
  registration: Registration,
): Uint8Array[] {
  return registration.wantsTextBlocks
    ? textBlocks(lines, about, registration)
    : printLines(lines, registration);
}

function printLines(lines: readonly PaperLine[], { charset }: Registration): Uint8Array[] {
  return lines.map((line, index) => {
    const usual = typeof line === 'string' ? ATTRIBUTE.plain : ATTRIBUTE.centred;
    const attribute = index === lines.length - 1 ? ATTRIBUTE.last : usual;
    return encodePacket('printLine', {
      parts: [Uint8Array.of(attribute)],
      rest: encodeText(textOf(line), charset),
    });
  });
}

/**
 * As few blocks as the till's longest packet allows. Some tills take any attribute for the end, so
 * there is only that one, and titles are centred by blanks.
 */
function textBlocks(
  lines: readonly PaperLine[],
  about: About,
  { charset, columns, maxApduBytes }: Registration,
): Uint8Array[] {
  const lineObjects = lines.map((line): TlvObject => {
    const text =
      typeof line === 'string'
        ? line
        : ' '.repeat(Math.max(0, Math.floor((columns - line.title.length) / 2))) + line.title;
    return { tag: TAG.textLine, value: encodeText(text, charset) };
  });
  const end: TlvObject = { tag: TAG.printAttribute, value: Uint8Array.of(ATTRIBUTE.last) };
  const blocks: Uint8Array[] = [];
  let objects: TlvObject[] = [];
  for (const [index, object] of lineObjects.entries()) {
    const isLast = index === lineObjects.length - 1;
    // Checked as if it were the last block, because the end has to fit as well.
    if (objects.length > 0 && textBlock([...objects, object, end], about).length > maxApduBytes) {
      blocks.push(textBlock(objects, about));
      objects = [];
    }
    objects.push(object);
    if (isLast) blocks.push(textBlock([...objects, end], about));
  }
  return blocks;
}

function textBlock(objects: readonly TlvObject[], { holder, ended }: About): Uint8Array {
  const container = encodeTlv([
    { tag: TAG.receiptType, value: Uint8Array.of(holders[holder]) },
    ...(holder === 'administration'
      ? []
      : [{ tag: TAG.receiptInformation, value: Uint8Array.of(endings[ended]) }]),
    { tag: TAG.printTexts, value: encodeTlv(objects) },
  ]);
  return encodePacket('printTextBlock', { fields: new Map([[BMP.tlv, container]]) });
}
