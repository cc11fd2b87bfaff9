// Writes the picture of the areas into ARCHITECTURE.md, from the imports of the sources.
import './node-version.mjs';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from './build.mjs';
import { readCommand } from './command.mjs';
import { importsOf, sourcesIn } from './dependencies.mjs';

/**
 * The area of a source: a folder below main, or preload or renderer as a whole. `core/domain` is an
 * area of its own, because support is above it and below the rest of core.
 */
export function topAreaOf(path) {
  const [top, folder, ...rest] = path.split('/');
  if (path.startsWith('main/core/domain/')) return 'domain';
  return top === 'main' && rest.length > 0 ? folder : top;
}

/** Which areas each area imports: the imports of its files, of types too. */
export function importedAreas(folder) {
  const areas = new Map();
  for (const path of sourcesIn(folder)) {
    const area = topAreaOf(path);
    const imported = areas.get(area) ?? new Set();
    areas.set(area, imported);
    for (const specifier of importsOf(path, readFileSync(join(folder, path), 'utf8'))) {
      if (!specifier.startsWith('.')) continue;
      const target = posix.join(posix.dirname(path), specifier);
      if (!target.endsWith('.ts') || topAreaOf(target) === area) continue;
      imported.add(topAreaOf(target));
    }
  }
  return areas;
}

/** What can be reached from each area, over any number of imports. */
function reachableIn(areas) {
  const reachable = new Map();
  for (const start of areas.keys()) {
    const seen = new Set();
    const next = [...areas.get(start)];
    while (next.length > 0) {
      const area = next.pop();
      if (seen.has(area)) continue;
      seen.add(area);
      next.push(...(areas.get(area) ?? []));
    }
    reachable.set(start, seen);
  }
  return reachable;
}

/**
 * The arrows without those that follow from others: with a → b → c, a → c is not drawn.
 * Arrows of a circle are all kept, so that the picture shows the circle.
 */
export function arrowsOf(areas) {
  const reachable = reachableIn(areas);
  const reaches = (from, to) => reachable.get(from)?.has(to) === true;
  const isImplied = (from, to) =>
    [...areas.get(from)].some(
      (via) => via !== to && reaches(via, to) && !reaches(to, via) && !reaches(via, from),
    );
  return [...areas]
    .flatMap(([from, imported]) => [...imported].map((to) => [from, to]))
    .filter(([from, to]) => !isImplied(from, to))
    .sort(([a, b], [c, d]) => (a === c ? (b < d ? -1 : 1) : a < c ? -1 : 1));
}

const byText = (one, other) => (one < other ? -1 : 1);

/** @returns a Mermaid flowchart: an area imports what its arrows point at */
export function pictureOf(areas) {
  const alone = [...areas.keys()].filter((area) => areas.get(area).size === 0).sort(byText);
  const arrows = arrowsOf(areas).map(([from, to]) => `  ${from} --> ${to}`);
  const pointedAt = new Set([...areas.values()].flatMap((imported) => [...imported]));
  const unlinked = alone.filter((area) => !pointedAt.has(area)).map((area) => `  ${area}`);
  return ['```mermaid', 'flowchart TD', ...arrows, ...unlinked, '```'].join('\n');
}

/** The document with the picture of these areas between its markers. */
export function withPicture(text, areas) {
  const markers = /(<!-- areas -->\n)[^]*?(\n<!-- end -->)/;
  if (!markers.test(text)) throw new Error('ARCHITECTURE.md has no markers for the picture');
  return text.replace(markers, (_, begin, end) => `${begin}${pictureOf(areas)}${end}`);
}

if (process.argv[1]?.endsWith('areas-picture.mjs')) {
  const { values } = readCommand({
    call: 'node scripts/areas-picture.mjs',
    does: 'Writes the picture of the areas into ARCHITECTURE.md, from the imports of the sources.',
    options: {
      check: {
        type: 'boolean',
        does: 'writes nothing; exit code 1: the picture is out of date',
      },
    },
  });
  const document = new URL('../ARCHITECTURE.md', import.meta.url);
  const text = readFileSync(document, 'utf8');
  const wanted = withPicture(text, importedAreas(root));
  if (!values.check) writeFileSync(document, wanted);
  else if (text !== wanted) {
    process.stdout.write(
      'ARCHITECTURE.md: the picture is out of date. Run: node scripts/areas-picture.mjs\n',
    );
    process.exitCode = 1;
  }
}
