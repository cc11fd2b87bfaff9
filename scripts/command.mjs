// How the scripts read their arguments. A Node that cannot read TypeScript has been told so before
// that is tried.
import './node-version.mjs';

export const { readCommand } = await import('../main/support/command-line.ts');
