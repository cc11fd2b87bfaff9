import type { IncomingMessage } from 'node:http';

/**
 * Limit of all bodies together that are being received or processed, so that slow senders cannot
 * fill the memory.
 */
const maxBytesUnderWay = 256 * 1024 * 1024;

export type Body =
  | { readonly kind: 'whole'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'tooLong' | 'noRoom' | 'gone' };

/**
 * Reads bodies within a limit for each and one for all. A body counts towards the latter until it
 * has been dealt with.
 */
export function bodyReader(maxUnderWay = maxBytesUnderWay) {
  let underWay = 0;

  function read(
    request: IncomingMessage,
    maxBytes: number,
    count: (bytes: number) => void,
  ): Promise<Body> {
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const end = (body: Body): void => {
        request.off('data', take);
        resolve(body);
      };
      const take = (chunk: Buffer): void => {
        bytes += chunk.length;
        count(chunk.length);
        chunks.push(chunk);
        if (bytes > maxBytes) end({ kind: 'tooLong' });
        else if (underWay > maxUnderWay) end({ kind: 'noRoom' });
      };
      if (Number(request.headers['content-length'] ?? 0) > maxBytes)
        return resolve({ kind: 'tooLong' });
      request.on('data', take);
      request.once('end', () => end({ kind: 'whole', bytes: joined(chunks, bytes) }));
      request.on('error', () => end({ kind: 'gone' }));
      request.once('close', () => end({ kind: 'gone' }));
    });
  }

  return async <Answer>(
    request: IncomingMessage,
    maxBytes: number,
    dealWith: (body: Body) => Answer | Promise<Answer>,
  ): Promise<Answer> => {
    let counted = 0;
    try {
      return await dealWith(
        await read(request, maxBytes, (bytes) => {
          counted += bytes;
          underWay += bytes;
        }),
      );
    } finally {
      underWay -= counted;
    }
  };
}

/** Copies the chunks into one buffer, which can be transferred to another thread. */
function joined(chunks: readonly Buffer[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
