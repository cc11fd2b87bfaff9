import type { Bridge } from '../../preload/contract.ts';
import type { AnswerTo } from '../../preload/procedures.ts';
import { picturePartLength } from '../../preload/procedures/plain.ts';
import type { PictureName, PictureType } from '../../preload/procedures/setup-customer.ts';

export type SentPicture =
  | { readonly ok: true; readonly type: PictureType; readonly address: string }
  | {
      readonly ok: false;
      readonly refused: Extract<AnswerTo<'picturePart'>, { ok: false }> | null;
    };

/**
 * Sends a picture to the daemon in parts.
 * @param onProgress called with the progress from 0 to 1
 * @returns the address of the preview; `refused` is null when the file cannot be read
 */
export async function sendPicture(
  bridge: Pick<Bridge, 'ask'>,
  picture: PictureName,
  file: File,
  onProgress: (fraction: number) => void,
): Promise<SentPicture> {
  const content = await base64Of(file).catch(() => null);
  if (content === null) return { ok: false, refused: null };
  for (let part = 0; ; part += 1) {
    const end = (part + 1) * picturePartLength;
    const answer = await bridge.ask('picturePart', {
      picture,
      part,
      base64: content.slice(part * picturePartLength, end),
      last: end >= content.length,
    });
    if (!answer.ok) return { ok: false, refused: answer };
    const { type } = answer.value;
    if (type !== null) return { ok: true, type, address: `data:${type};base64,${content}` };
    onProgress(end / content.length);
  }
}

function base64Of(file: File): Promise<string> {
  const reader = new FileReader();
  return new Promise((resolve, reject) => {
    reader.addEventListener('load', () =>
      resolve(typeof reader.result === 'string' ? reader.result.replace(/^[^,]*,?/, '') : ''),
    );
    reader.addEventListener('error', () =>
      reject(reader.error ?? new Error('the file cannot be read')),
    );
    reader.readAsDataURL(file);
  });
}
