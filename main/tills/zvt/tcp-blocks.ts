/**
 * The blocks of a serial line over TCP, as serial device servers pass them on: a till's cable at
 * the other end of a network.
 */
import type { ConnectionTap, Framing, TcpLink } from '../line/tcp-line.ts';
import type { Peer } from '../line/peer.ts';
import { type ApduLink, t3Ms } from './link.ts';
import { ACK, beginsBlock, NAK } from './serial-framing.ts';
import { ZvtSerialLink } from './serial-link.ts';
import { ZvtSession } from './session.ts';
import type { ZvtTerminal } from './terminal.ts';

/** A peer that sends more broken blocks, or bytes outside of blocks, in a row is not a till. */
const maxSpoiled = 6;

/** null: more bytes are needed. Acknowledgements of a conversation before may come first. */
export function framingOfBlocks(head: Uint8Array): 'blocks' | 'stranger' | null {
  const begin = head.findIndex((byte) => byte !== ACK && byte !== NAK);
  if (head.length > maxSpoiled && (begin < 0 || begin > maxSpoiled)) return 'stranger';
  return begin < 0 ? null : beginsBlock(head.subarray(begin));
}

/** @param tap sees what goes over each connection of a till; null for no recording */
export const blocks = (
  tap: ((peer: string, framing: 'serial') => ConnectionTap) | null,
): Framing => ({
  recognise(head, peer) {
    const framing = framingOfBlocks(head);
    if (framing !== 'blocks') return framing;
    const stream = { isInside: false, push: (bytes: Uint8Array) => [bytes] };
    return { name: framing, stream, framed: (bytes) => bytes, tap: tap?.(peer, 'serial') ?? null };
  },
  restWithinMs: t3Ms,
});

/**
 * A till's conversation in such blocks. What it may do follows from its address, as over TCP: no
 * cable is trusted here.
 */
export class ZvtBlockSession extends ZvtSession {
  readonly #blocks: ZvtSerialLink;

  constructor(terminal: ZvtTerminal, link: TcpLink, peer: Peer) {
    let spoiled = 0;
    const serial: ZvtSerialLink = new ZvtSerialLink({
      ...terminal,
      listener: {
        received: (apdu, reception) => {
          spoiled = 0;
          super.received(apdu, reception);
        },
      },
      spoiled: () => {
        spoiled += 1;
        if (spoiled !== maxSpoiled) return;
        terminal.incidents.tell('tillStranger', peer, `${spoiled} broken blocks in a row`);
        link.close();
      },
    });
    // A till that answers nothing keeps its connection, as it keeps its cable.
    const apdus: ApduLink = {
      send: (apdu, sent) => serial.send(apdu, sent),
      isUp: () => link.isUp(),
      unanswered: () => {},
      close: () => link.close(),
    };
    super(terminal, apdus, peer);
    this.#blocks = serial;
    serial.attach({ write: async (bytes) => link.send(bytes), close: async () => {} });
  }

  /** @param bytes as they came: blocks, 06 and 15 in any portions */
  override received(bytes: Uint8Array): void {
    this.#blocks.data(bytes);
  }

  override closed(): void {
    this.#blocks.close();
    super.closed();
  }
}
