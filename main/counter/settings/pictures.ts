import { findPicture } from '../../support/picture-file.ts';
import { pictureRule, type Settings } from './schema.ts';
import { SettingsError } from '../../support/settings/settings-error.ts';

/**
 * Checks the picture files. A missing picture is allowed, because it may still be copied there.
 * @throws SettingsError
 */
export function checkPictures({ shop }: Pick<Settings, 'shop'>, dataFolder: string): void {
  const mistakes = (['logo', 'picture'] as const).flatMap((name) => {
    const file = shop?.[name];
    const picture = file === undefined ? null : findPicture(dataFolder, file);
    return picture?.kind === 'elsewhere'
      ? [`shop.${name}: ${pictureRule}, got ${JSON.stringify(file)}, which is ${picture.path}`]
      : [];
  });
  if (mistakes.length > 0) throw new SettingsError(mistakes);
}
