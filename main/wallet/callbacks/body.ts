import type { IncomingMessage } from 'node:http';

/** Of a request: 5 MB, as the documents' largest batch needs a tenth of it. */
const longestBodyBytes = 5 * 1024 * 1024;
/** Of all requests on their way together: slow senders cannot fill the memory. */
const mostBytesUnderWay = 256 * 1024 * 1024;

export type Body = { readonly kind: 'whole'; readonly text: string } | { readonly kind: 'tooLong' | 'noRoom' | 'gone' };

/** Reads bodies side by side. What is too long is not kept, and its sender gets to hear it. */
export function bodyReader(mostUnderWay = mostBytesUnderWay): (request: IncomingMessage) => Promise<Body> {
  let underWay = 0;
  return (request) =>
    new Promise((resolve) => {
      let chunks: Buffer[] = [];
      let bytes = 0;
      const end = (body: Body): void => {
        underWay -= bytes;
        bytes = 0;
        chunks = [];
        request.off('data', take);
        resolve(body);
      };
      const take = (chunk: Buffer): void => {
        bytes += chunk.length;
        underWay += chunk.length;
        chunks.push(chunk);
        if (bytes > longestBodyBytes) end({ kind: 'tooLong' });
        else if (underWay > mostUnderWay) end({ kind: 'noRoom' });
      };
      if (Number(request.headers['content-length'] ?? 0) > longestBodyBytes) return resolve({ kind: 'tooLong' });
      request.on('data', take);
      // TextDecoder drops the byte order mark that some senders put in front.
      request.once('end', () => end({ kind: 'whole', text: new TextDecoder().decode(Buffer.concat(chunks)) }));
      request.on('error', () => end({ kind: 'gone' }));
      request.once('close', () => end({ kind: 'gone' }));
    });
}
