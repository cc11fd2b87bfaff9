// Rules for the text of source files that no formatter or linter holds.
import './node-version.mjs';
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { root } from './build.mjs';

const folders = ['main', 'preload', 'renderer', 'scripts', 'test'];
const maxColumns = 100;

/** Number of the line, counted from 1, in which a match begins. */
const lineOf = (text, index) => text.slice(0, index).split('\n').length;

/**
 * Each rule takes the path and text of one file and returns one line of text for each violation.
 * The formatter breaks code at 100 columns, so that only comments can be wider, and text that
 * cannot be broken.
 */
const rules = [
  function twoDocComments(path, text) {
    return [...text.matchAll(/\*\/\n *\/\*\*/g)].map(
      ({ index }) =>
        `${path}:${lineOf(text, index)}: two doc comments in a row; editors show the last`,
    );
  },
  function wideComment(path, text) {
    return text
      .split('\n')
      .flatMap((line, at) =>
        line.length > maxColumns && /^\s*(\/\/|\/?\*)/.test(line)
          ? `${path}:${at + 1}: a comment of ${line.length} columns; the maximum is ${maxColumns}`
          : [],
      );
  },
];

/** The violations in one file, one line of text each. */
export const brokenRules = (path, text) => rules.flatMap((rule) => rule(path, text));

if (process.argv[1]?.endsWith('source-rules.mjs')) {
  const broken = folders.flatMap((folder) =>
    readdirSync(posix.join(root, folder), { recursive: true })
      .filter((name) => /\.(ts|mjs)$/.test(name))
      .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
      .flatMap((path) => brokenRules(path, readFileSync(posix.join(root, path), 'utf8'))),
  );
  for (const line of broken) process.stdout.write(`${line}\n`);
  process.exit(broken.length > 0 ? 1 : 0);
}
