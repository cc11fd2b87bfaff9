/**
 * What a backup holds. It comes first in the sealed file; then the files one behind the other, as
 * it lists them.
 */
import { z } from 'zod';
import { isNewerVersion } from '../../core/domain/versions.ts';
import { isSafePath } from '../../support/safe-path.ts';
import { BackupError, damaged } from './backup-error.ts';
import { isBackedUp } from './backup-contents.ts';

const newestLayout = 1;
const maxFiles = 10_000;
/** 10,000 long names. */
export const maxManifestBytes = 4_000_000;

const FileEntry = z.strictObject({
  path: z
    .string()
    .max(1_000)
    .refine((path) => isSafePath(path), 'must be a path inside the folder')
    .refine(isBackedUp, 'must be a file that backups hold'),
  bytes: z.int().nonnegative(),
});

const Manifest = z
  .strictObject({
    layout: z.literal(newestLayout),
    /** The program's version. */
    tillbeacon: z.string().regex(/^\d+\.\d+\.\d+$/),
    madeAtMs: z.int(),
    /** The computer's name. */
    from: z.string().max(300),
    /** The journal's layout; null when there was no journal. */
    journalLayout: z.int().nullable(),
    /** Payments and refunds that were not settled. */
    unsettled: z.int().nonnegative(),
    files: z.array(FileEntry).max(maxFiles),
    /** Secrets and certificates that the settings name elsewhere, and what could not be taken. */
    missing: z.array(z.string().max(1_000)).max(maxFiles),
  })
  .superRefine(({ files }, context) => {
    const names = new Set(files.map(({ path }) => path.toLowerCase()));
    if (names.size < files.length)
      context.addIssue({ code: 'custom', path: ['files'], message: 'must not name a file twice' });
    const folders = files.flatMap(({ path }) =>
      path
        .toLowerCase()
        .split('/')
        .map((_, place, all) => all.slice(0, place).join('/')),
    );
    if (folders.some((folder) => names.has(folder)))
      context.addIssue({
        code: 'custom',
        path: ['files'],
        message: 'must not name a folder as a file',
      });
  });
export type Manifest = z.infer<typeof Manifest>;

export const manifestOf = (about: Omit<Manifest, 'layout'>): Manifest =>
  Manifest.parse({ layout: newestLayout, ...about });

/** @throws BackupError */
export function readManifest(text: string, thisVersion: string): Manifest {
  const json = parsed(text);
  const { layout, tillbeacon } = z
    .object({ layout: z.int(), tillbeacon: z.string() })
    .safeParse(json).data ?? { layout: 0, tillbeacon: '' };
  if (layout > newestLayout || isNewerVersion(tillbeacon, thisVersion))
    throw new BackupError(
      `the backup was made by a newer Tillbeacon (${tillbeacon}, this one is ${thisVersion}): install that one here first`,
      {
        problem: 'newer',
      },
    );
  const manifest = Manifest.safeParse(json);
  if (manifest.success) return manifest.data;
  const [issue] = manifest.error.issues;
  throw damaged(`its list breaks a rule: ${issue?.path.join('.')}: ${issue?.message}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw damaged('its list cannot be read');
  }
}
