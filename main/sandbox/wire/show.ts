/** A recording as text, for a person. */
import { describe } from '../../tills/zvt/describe.ts';
import { hexByte } from '../../tills/zvt/packets.ts';
import type { Bytes, Event, Recording } from './recording.ts';

const framings = {
  bare: 'packets bare',
  lengthPrefixed: 'packets behind their length',
  serial: 'a serial line',
} as const;

/** The recording in lines; with `withBytes`, also the bytes of each packet. */
export function* shownLines(
  { connections, lost }: Recording,
  { withBytes }: { readonly withBytes: boolean },
): Generator<string> {
  for (const { peer, framing, events } of connections) {
    yield `${peer}, ${framings[framing]}, ${events[0]?.piece.at.slice(0, 10) ?? 'empty'}`;
    const lastMs: Record<Event['piece']['from'], number | null> = { till: null, terminal: null };
    for (const event of events) {
      const { from, at, ms } = event.piece;
      const other = lastMs[from === 'till' ? 'terminal' : 'till'];
      lastMs[from] = ms;
      const after = other === null ? '' : `  (after ${(ms - other).toFixed(1)} ms)`;
      yield `${at.slice(11, 23)} ${from === 'till' ? '→' : '←'} ${wordsOf(event)}${after}`;
      if (withBytes && event.what === 'packet') yield `             ${hexOf(event)}`;
    }
    yield '';
  }
  if (lost > 0) yield `${lost} pieces are missing: the disk was too slow for them`;
}

function wordsOf(event: Event): string {
  switch (event.what) {
    case 'taken':
      return '06: the block is acknowledged';
    case 'refused':
      return '15: the block is to be sent again';
    case 'rest':
      return `${event.byteCount} bytes that are not a whole packet`;
    case 'packet':
      return `${describe(event.bytes)}${event.isRepeated ? ' (repeated)' : ''}${event.isDamaged ? ' (its checksum is wrong)' : ''}`;
  }
}

const hexOf = ({ bytes, hidden }: Bytes): string =>
  Array.from(bytes, (byte, index) => (hidden[index] ? '**' : hexByte(byte))).join(' ');
