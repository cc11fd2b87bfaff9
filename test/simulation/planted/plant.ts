import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PlantedBug } from './bugs.ts';

export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The folders and files that the simulation needs. */
const sourceFolders = [
  'main',
  'preload',
  'test',
  'scripts',
  'assets',
  'package.json',
  'tsconfig.json',
];

/** Matches a text however its lines are broken, so that formatting a file keeps the bug. */
function patternOf(find: string): RegExp {
  const words = find.trim().split(/\s+|(?<=[([{])|(?=[)\]}.])/);
  return new RegExp(
    words.map((word) => RegExp.escape(word.replace(/,$/, ''))).join('[,\\s]*'),
    'g',
  );
}

/**
 * The file with the bug in it.
 * @throws Error when the text is missing or stands there twice: the source has moved on, and the
 *   bug must follow
 */
function withBug(
  text: string,
  { number, says }: PlantedBug,
  { file, find, replace }: PlantedBug['edits'][number],
): string {
  const pattern = patternOf(find);
  const places = [...text.matchAll(pattern)].length;
  if (places !== 1)
    throw new Error(
      `planted bug ${number} (${says}) no longer applies: its text is ${places === 0 ? 'not' : `${places} times`} in ${file}`,
    );
  return text.replace(pattern, () => replace);
}

/** Every file that the bug touches, as it is with the bug in it. @throws Error as `withBug` */
export function bugged(bug: PlantedBug, folder: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const edit of bug.edits)
    files.set(
      edit.file,
      withBug(files.get(edit.file) ?? readFileSync(join(folder, edit.file), 'utf8'), bug, edit),
    );
  return files;
}

/** A copy of the sources in a folder of its own: what is saved meanwhile does not disturb it. */
export function copySources(): {
  readonly folder: string;
  plant(bug: PlantedBug): void;
  heal(): void;
  remove(): void;
} {
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-planted-'));
  for (const name of sourceFolders)
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const healthy = new Map<string, string>();
  const write = (files: ReadonlyMap<string, string>): void => {
    for (const [file, text] of files) writeFileSync(join(folder, file), text);
  };
  return {
    folder,
    plant(bug) {
      const files = bugged(bug, folder);
      for (const file of files.keys()) healthy.set(file, readFileSync(join(folder, file), 'utf8'));
      write(files);
    },
    heal() {
      write(healthy);
      healthy.clear();
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
