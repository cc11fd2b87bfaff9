import type { Bridge } from '../preload/contract.ts';
import type { FileOffer } from '../preload/procedures/procedure.ts';

interface Options {
  /** 0 to 1, after each part. */
  readonly onProgress?: (fraction: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Fetches a file that the daemon has made for this screen, part by part, and lets the browser save
 * it under its name.
 */
export async function saveFile(
  bridge: Pick<Bridge, 'ask'>,
  offer: FileOffer,
  { onProgress, signal }: Options = {},
): Promise<'saved' | 'cancelled' | 'failed'> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let fetched = 0;
  for (let part = 0, last = false; !last; part += 1) {
    const answer = await bridge.ask('filePart', { fileId: offer.fileId, part });
    if (signal?.aborted) return 'cancelled';
    if (!answer.ok) return 'failed';
    const bytes = Uint8Array.from(atob(answer.value.base64), (character) =>
      character.charCodeAt(0),
    );
    parts.push(bytes);
    fetched += bytes.length;
    onProgress?.(offer.bytes === 0 ? 1 : fetched / offer.bytes);
    last = answer.value.last;
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(parts, { type: offer.type }));
  link.download = offer.name;
  link.click();
  // Not at once: the browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return 'saved';
}
