import type { IncomingMessage } from 'node:http';

const longestBodyBytes = 5 * 1024 * 1024;

/** null: longer than any request of the interface. */
export async function readBody(request: IncomingMessage): Promise<string | null> {
  if (request.method === 'GET') return '';
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > longestBodyBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
