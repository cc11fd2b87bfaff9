// How large what was built is when it is compressed: what the programs read at their start, and
// what a window loads.
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const sizes = new Map();
const sizeOf = (file) => {
  if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(file)).length);
  return sizes.get(file);
};
const compressed = (files) => [...files].reduce((sum, file) => sum + sizeOf(file), 0);

/** The scripts, with everything that they import statically. */
function withImports(scripts) {
  const found = new Set();
  const visit = (file) => {
    if (found.has(file)) return;
    found.add(file);
    if (file.endsWith('.js'))
      for (const imported of importsOf(
        file,
        /(?:\bfrom|\bimport)\s*["'`](\.{1,2}\/[\w./-]+\.js)["'`]/g,
      ))
        visit(imported);
  };
  for (const script of scripts) visit(script);
  return found;
}

/** The files that these files import only when they are needed. */
const importedLater = (files) =>
  new Set(
    [...files].flatMap((file) =>
      importsOf(file, /\bimport\(\s*["'`](\.{1,2}\/[\w./-]+\.js)["'`]\s*\)/g),
    ),
  );

const importsOf = (file, pattern) =>
  [...readFileSync(file, 'utf8').matchAll(pattern)]
    .map(([, name]) => join(dirname(file), name))
    .filter((path) => existsSync(path));

/** What a program reads at its start: how many files, and their size. */
export function programAtStart(out, entry) {
  const files = withImports([join(out, 'main', `${entry}.js`)]);
  return { files: files.size, bytes: compressed(files) };
}

/** Texts of a catalogue in one language; null when the file is no such catalogue. */
const textsIn = (file) => /^texts-(\w+-\w+)-(\w+)-/.exec(basename(file));

/**
 * Size of these texts in the language in which they are the longest. @param but catalogues that are
 * loaded already
 */
function maxTexts(files, but = new Set()) {
  const languages = new Map();
  for (const file of files) {
    const [, language, catalogue] = textsIn(file) ?? [];
    if (language !== undefined && !but.has(catalogue))
      languages.set(language, (languages.get(language) ?? 0) + sizeOf(file));
  }
  return Math.max(0, ...languages.values());
}

/**
 * `first`: what a window loads before it shows something: the scripts and styles that the page
 * names, what they import, and the texts of one language, the longest. `parts`: by their names,
 * what each adds with its texts; it is loaded when it is opened, or before, while nothing else is
 * to be done.
 */
export function screenBytes(out, screen) {
  const folder = join(out, 'renderer', screen);
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const first = withImports(
    [...page.matchAll(/(?:src|href)="([^"]*assets\/[^"]*)"/g)].map(([, file]) =>
      join(folder, file),
    ),
  );
  const later = [...importedLater(first)];
  const loadedNames = new Set(later.map((file) => textsIn(file)?.[2]));
  const parts = later
    .filter((file) => textsIn(file) === null)
    .map((file) => {
      const added = [...withImports([file])].filter((one) => !first.has(one));
      return [
        basename(file).slice(0, -'-12345678.js'.length),
        compressed(added) + maxTexts(importedLater(added), loadedNames),
      ];
    });
  return {
    first: compressed(first) + maxTexts(later),
    parts: parts.sort(([, one], [, other]) => other - one),
  };
}
