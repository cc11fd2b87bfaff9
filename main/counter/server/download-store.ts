import { rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { filePartBytes } from '../../../preload/procedures/files.ts';
import { type FileOffer, Refusal } from '../../../preload/procedures/procedure.ts';
import type { Cancel, Clock } from '../../core/domain/clock.ts';
import type { Ids } from '../../core/domain/ids.ts';
import type { Handlers } from './router.ts';
import type { Session } from './session.ts';

const expiresAfterMs = 10 * 60_000;

export interface DownloadFile {
  /** Name under which it is saved. */
  readonly name: string;
  /** e.g. `text/csv`. */
  readonly type: string;
  /** Content in a file, which is removed once it was fetched or its time is over. */
  readonly content: Uint8Array | { readonly file: string; readonly bytes: number };
}

/** Files that were made for a page, until it has fetched them. */
export class DownloadStore {
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #files = new Map<
    string,
    {
      readonly content: DownloadFile['content'];
      readonly owner: Session;
      readonly madeFor: Session['manager'];
      readonly forget: Cancel;
    }
  >();

  constructor({ clock, ids }: { readonly clock: Clock; readonly ids: Ids }) {
    this.#clock = clock;
    this.#ids = ids;
  }

  offer(owner: Session, { name, type, content }: DownloadFile): FileOffer {
    const fileId = this.#ids.uuid();
    const forget = this.#clock.after(expiresAfterMs, () => this.forget(fileId));
    this.#files.set(fileId, { content, owner, madeFor: owner.manager, forget });
    return { fileId, name, type, bytes: sizeOf(content) };
  }

  forget(fileId: string): void {
    const file = this.#files.get(fileId);
    if (file === undefined) return;
    file.forget();
    this.#files.delete(fileId);
    if ('file' in file.content) rmSync(file.content.file, { force: true });
  }

  close(): void {
    for (const fileId of this.#files.keys()) this.forget(fileId);
  }

  readonly handlers: Handlers = {
    filePart: async ({ fileId, part }, session) => {
      const file = this.#files.get(fileId);
      const from = part * filePartBytes;
      // A file made for a manager must not reach the next user of the page.
      const isTheirs = file?.owner === session && file.madeFor === session.manager;
      if (file === undefined || !isTheirs || from > sizeOf(file.content))
        throw new Refusal('notFound', 'there is no such file any more');
      const last = from + filePartBytes >= sizeOf(file.content);
      const base64 = (await partOf(file.content, from)).toString('base64');
      if (last) this.forget(fileId);
      return { base64, last };
    },
  };
}

const sizeOf = (content: DownloadFile['content']): number =>
  'file' in content ? content.bytes : content.byteLength;

async function partOf(content: DownloadFile['content'], from: number): Promise<Buffer> {
  if (!('file' in content)) return Buffer.from(content.subarray(from, from + filePartBytes));
  const opened = await open(content.file, 'r');
  try {
    const { buffer, bytesRead } = await opened.read(
      Buffer.alloc(Math.min(filePartBytes, content.bytes - from)),
      0,
      null,
      from,
    );
    return buffer.subarray(0, bytesRead);
  } finally {
    await opened.close();
  }
}
