import { filePartBytes } from '../../preload/procedures/files.ts';
import { type FileOffer, Refusal } from '../../preload/procedures/procedure.ts';
import type { Cancel, Clock } from '../domain/clock.ts';
import type { Ids } from '../domain/ids.ts';
import type { Handlers } from './router.ts';
import type { Session } from './session.ts';

const keptMs = 10 * 60_000;

export interface MadeFile {
  /** Name under which it is saved. */
  readonly name: string;
  /** e.g. `text/csv`. */
  readonly type: string;
  readonly content: Uint8Array;
}

/** Files that were made for a page, until it has fetched them. */
export class DownloadStore {
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #files = new Map<string, { readonly content: Uint8Array; readonly owner: Session; readonly madeFor: Session['manager']; readonly forget: Cancel }>();

  constructor({ clock, ids }: { readonly clock: Clock; readonly ids: Ids }) {
    this.#clock = clock;
    this.#ids = ids;
  }

  offer(owner: Session, { name, type, content }: MadeFile): FileOffer {
    const fileId = this.#ids.uuid();
    const forget = this.#clock.after(keptMs, () => this.#files.delete(fileId));
    this.#files.set(fileId, { content, owner, madeFor: owner.manager, forget });
    return { fileId, name, type, bytes: content.byteLength };
  }

  readonly handlers: Handlers = {
    filePart: ({ fileId, part }, session) => {
      const file = this.#files.get(fileId);
      const from = part * filePartBytes;
      // A file made for a manager is not for whoever uses the page after them.
      const isTheirs = file?.owner === session && file.madeFor === session.manager;
      if (file === undefined || !isTheirs || from > file.content.byteLength) throw new Refusal('notFound', 'there is no such file any more');
      const last = from + filePartBytes >= file.content.byteLength;
      if (last) {
        file.forget();
        this.#files.delete(fileId);
      }
      return { base64: Buffer.from(file.content.subarray(from, from + filePartBytes)).toString('base64'), last };
    },
  };
}
