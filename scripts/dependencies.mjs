// Holds every import, of types too, against scripts/areas.json, and finds circles.
import './node-version.mjs';
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import { root } from './build.mjs';

/**
 * `areas`: each with its folder, the folders and files that it may import beside its own, and its
 * packages. `layers`: the folders of `main` from the lowest to the highest; those of one layer do
 * not import each other.
 */
export const readAreas = () =>
  JSON.parse(readFileSync(join(root, 'scripts', 'areas.json'), 'utf8'));

/** What areas may import although it lies in a higher layer, or beside them. */
export function upwardImports({ layers, areas }) {
  const folders = layers.flatMap((layer, height) => layer.map((folder) => ({ folder, height })));
  const layerOf = (path) =>
    folders
      .filter(({ folder }) => inside(path, folder))
      .sort((a, b) => b.folder.length - a.folder.length)[0];
  return areas.flatMap(({ folder, imports }) => {
    const own = layerOf(folder);
    return imports
      .filter((path) => {
        const other = layerOf(path);
        return (
          own !== undefined && other !== undefined && other !== own && other.height >= own.height
        );
      })
      .map((path) => `scripts/areas.json: \`${folder}\` may import ${path}, which is not below it`);
  });
}

const inside = (path, folder) => path === folder || path.startsWith(`${folder}/`);

/** The most specific area that a file lies in. */
function areaOf(path, areas) {
  return areas
    .filter(({ folder }) => inside(path, folder))
    .sort((a, b) => b.folder.length - a.folder.length)[0];
}

/** What a source imports, of types too: relative paths and packages. */
export function importsOf(path, text) {
  const { module, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const dynamic = module.dynamicImports
    .map(({ moduleRequest: { start, end } }) => text.slice(start, end))
    .filter((argument) => /^['"]/.test(argument))
    .map((argument) => argument.slice(1, -1));
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.map(({ moduleRequest }) => moduleRequest?.value),
    ),
    ...dynamic,
  ].filter((specifier) => specifier !== undefined);
}

const packageOf = (specifier) =>
  specifier.startsWith('node:')
    ? 'node'
    : specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

function violationOf(path, specifier, areas) {
  const area = areaOf(path, areas);
  if (area === undefined) return `${path} lies in no area of scripts/areas.json`;
  if (!specifier.startsWith('.')) {
    const name = packageOf(specifier);
    return area.packages.includes(name)
      ? undefined
      : `${path} imports the package ${name}: \`${area.folder}\` may not`;
  }
  const target = posix.join(posix.dirname(path), specifier);
  const allowed = areaOf(target, areas) === area || area.imports.some((one) => inside(target, one));
  return allowed ? undefined : `${path} imports ${target}: \`${area.folder}\` may not`;
}

/** Circles of imports, each once, as the paths it leads along. */
function circlesOf(imports) {
  const circles = [];
  const finished = new Set();
  const visit = (path, trail) => {
    const start = trail.indexOf(path);
    if (start >= 0) return void circles.push([...trail.slice(start), path].join(' → '));
    if (finished.has(path)) return;
    for (const target of imports.get(path) ?? []) visit(target, [...trail, path]);
    finished.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return circles;
}

/** The paths of the product's sources under `folder`, sorted. */
export function sourcesIn(folder) {
  const pathsBelow = (top) =>
    readdirSync(join(folder, top), { recursive: true })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => posix.join(top, name.replaceAll('\\', '/')));
  return ['main', 'preload', 'renderer'].flatMap(pathsBelow).sort();
}

/** Violations by imports of the sources under `folder`, one line each. */
export function brokenDependencies(folder, areas) {
  const imports = new Map();
  const violations = [];
  for (const path of sourcesIn(folder)) {
    const specifiers = importsOf(path, readFileSync(join(folder, path), 'utf8'));
    violations.push(
      ...specifiers
        .map((specifier) => violationOf(path, specifier, areas))
        .filter((violation) => violation !== undefined),
    );
    imports.set(
      path,
      new Set(
        specifiers
          .filter((one) => one.startsWith('.'))
          .map((one) => posix.join(posix.dirname(path), one)),
      ),
    );
  }
  return [...new Set(violations), ...circlesOf(imports).map((circle) => `circle: ${circle}`)];
}

if (process.argv[1]?.endsWith('dependencies.mjs')) {
  const table = readAreas();
  const broken = [...upwardImports(table), ...brokenDependencies(root, table.areas)];
  for (const line of broken) process.stdout.write(`${line}\n`);
  if (broken.length > 0)
    process.stdout.write(`${broken.length} imports break the rules of scripts/areas.json.\n`);
  process.exit(broken.length > 0 ? 1 : 0);
}
