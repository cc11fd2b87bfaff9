import { readFileSync, rmSync } from 'node:fs';
import { z } from 'zod';
import type { Log } from '../../core/domain/log.ts';
import { writeFileAtomically } from '../../support/atomic-file.ts';
import { Draft } from './draft.ts';
import { systemCodeOf } from '../../core/domain/errors.ts';

const DraftFile = z.object({ version: z.literal(1), draft: Draft });

/** null when there is no draft, or none that can be read; then setup begins anew. */
export function readDraft(path: string, log: Log): Draft | null {
  try {
    return DraftFile.parse(JSON.parse(readFileSync(path, 'utf8'))).draft;
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT')
      log.warn(
        { path, detail: error instanceof Error ? error.name : '' },
        'the draft of the setup cannot be read: it begins anew',
      );
    return null;
  }
}

/** @param draft null to remove the file */
export function writeDraft(path: string, draft: Draft | null): void {
  if (draft === null) rmSync(path, { force: true });
  else
    writeFileAtomically(
      path,
      `${JSON.stringify({ version: 1, draft } satisfies z.input<typeof DraftFile>, null, 2)}\n`,
    );
}
