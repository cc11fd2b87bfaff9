// How large what was built is when it is compressed: what the app reads at its start, and what a window loads.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const compressed = (files) => [...files].reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);

/** The app's entry with everything that it imports at its start. */
export function mainBytes(out) {
  const found = new Set();
  const visit = (file) => {
    if (found.has(file)) return;
    found.add(file);
    for (const [, imported] of readFileSync(file, 'utf8').matchAll(/(?:\bfrom|\bimport)\s*["'](\.{1,2}\/[\w./-]+\.js)["']/g))
      visit(join(dirname(file), imported));
  };
  visit(join(out, 'main', 'desktop.js'));
  return compressed(found);
}

/** The scripts and styles that a page names. */
export function screenBytes(out, screen) {
  const folder = join(out, 'renderer', screen);
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  return compressed(new Set([...page.matchAll(/(?:src|href)="([^"]*assets\/[^"]*)"/g)].map(([, file]) => join(folder, file))));
}
