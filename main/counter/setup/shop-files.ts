/**
 * The shop's pictures: uploaded in parts, and stored below the data folder under generated names.
 */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ParsedInputOf } from '../../../preload/procedures.ts';
import { Refusal } from '../../../preload/procedures/procedure.ts';
import {
  maxPictureBytes,
  type PictureName,
  type PictureType,
} from '../../../preload/procedures/setup-customer.ts';
import type { Session } from '../server/session.ts';
import { writeFileAtomically } from '../../support/atomic-file.ts';
import { pictureType } from './picture-type.ts';
import { messageOf } from '../../core/domain/errors.ts';

interface Sent {
  readonly type: PictureType;
  readonly content: Uint8Array;
}
interface Arriving {
  readonly parts: Uint8Array[];
  bytes: number;
}

/**
 * Pictures that pages have uploaded and that are not in use yet. Forgotten with their connection.
 */
export class SentPictures {
  readonly #arriving = new WeakMap<Session, Map<PictureName, Arriving>>();
  readonly #sent = new WeakMap<Session, Map<PictureName, Sent>>();

  /**
   * @returns the picture's type; null when more parts follow. @throws Refusal tooLarge, or
   * notAPicture when it has to be sent from its start
   */
  take(
    { picture, part, base64, last }: ParsedInputOf<'picturePart'>,
    from: Session,
  ): PictureType | null {
    const arriving = of(this.#arriving, from);
    if (part === 0) {
      of(this.#sent, from).delete(picture);
      arriving.set(picture, { parts: [], bytes: 0 });
    }
    const at = arriving.get(picture);
    if (at?.parts.length !== part)
      throw new Refusal('notFound', 'the parts before this one are not here', { field: 'part' });
    const bytes = Buffer.from(base64, 'base64');
    at.parts.push(bytes);
    at.bytes += bytes.byteLength;
    if (at.bytes > maxPictureBytes) {
      arriving.delete(picture);
      throw new Refusal('tooLarge', `a picture has at most ${maxPictureBytes} bytes`, {
        field: picture,
      });
    }
    if (!last) return null;
    arriving.delete(picture);
    const content = Buffer.concat(at.parts);
    const type = pictureType(content);
    if (type === null)
      throw new Refusal('notAPicture', 'by its content this is no PNG, JPEG, WebP or SVG', {
        field: picture,
      });
    of(this.#sent, from).set(picture, { type, content });
    return type;
  }

  /** @throws Refusal notFound */
  sent(picture: PictureName, by: Session): Sent {
    const sent = this.#sent.get(by)?.get(picture);
    if (sent === undefined)
      throw new Refusal('notFound', 'this screen has sent no such picture', { field: picture });
    return sent;
  }

  forget(by: Session): void {
    this.#sent.delete(by);
  }
}

function of<Value>(
  sessions: WeakMap<Session, Map<PictureName, Value>>,
  session: Session,
): Map<PictureName, Value> {
  const known = sessions.get(session) ?? new Map<PictureName, Value>();
  sessions.set(session, known);
  return known;
}

const extensions: Readonly<Record<PictureType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
};
const folderName = 'shop';
/** Names that we generate, and may delete. */
const ourName = /^(logo|picture)-[0-9a-f]{16}\.(png|jpg|webp|svg)$/;

export class ShopFiles {
  readonly #folder: string;

  constructor(dataFolder: string) {
    this.#folder = join(dataFolder, folderName);
  }

  /** @returns its path for the settings. @throws Refusal notWritable */
  write(picture: PictureName, { type, content }: Sent): string {
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
    const name = `${picture}-${hash}.${extensions[type]}`;
    const path = join(this.#folder, name);
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      if (!this.#isFolder()) throw new Error(`${this.#folder} is a link`);
      if (!existsSync(path)) writeFileAtomically(path, content);
    } catch (error) {
      throw new Refusal('notWritable', messageOf(error), { facts: { path } });
    }
    return `${folderName}/${name}`;
  }

  /** Deletes pictures of ours that no settings name any more. */
  keepOnly(named: readonly (string | undefined)[]): void {
    const names = this.#isFolder() ? readdirSync(this.#folder) : [];
    for (const name of names)
      if (ourName.test(name) && !named.includes(`${folderName}/${name}`))
        rmSync(join(this.#folder, name), { force: true });
  }

  /** Not a link to another one. */
  #isFolder(): boolean {
    return lstatSync(this.#folder, { throwIfNoEntry: false })?.isDirectory() === true;
  }
}
