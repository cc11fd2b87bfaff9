// Rules for the text of source files that no formatter or linter holds.
import './node-version.mjs';
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { root } from './build.mjs';

const folders = ['main', 'preload', 'renderer', 'scripts', 'test'];
const maxColumns = 100;
const maxLines = 500;
/** Tests that were longer when the rule came. Divide one when it changes; none is added. */
const longTests = [
  'test/protocol/zvt-conversations.ts',
  'test/service/setup-changes.test.ts',
  'test/simulation/invariants.ts',
  'test/simulation/shop.ts',
  'test/simulation/till.ts',
  'test/simulation/planted/bugs.ts',
  'test/unit/core/lane/refund.test.ts',
  'test/unit/counter/settings/settings-file.test.ts',
  'test/unit/counter/settings/settings.test.ts',
  'test/unit/sandbox/simulator/epayment.test.ts',
  'test/unit/sandbox/simulator/invoice.test.ts',
  'test/unit/sandbox/simulator/reporting.test.ts',
  'test/unit/sandbox/simulator/world-event-file.test.ts',
  'test/unit/tills/concert/tcp.test.ts',
  'test/unit/tills/zvt/closing.test.ts',
  'test/unit/tills/zvt/conversation.test.ts',
  'test/unit/tills/zvt/receipts.test.ts',
  'test/unit/tills/zvt/refund.test.ts',
  'test/unit/tills/zvt/service.test.ts',
];
/** A name of our own for a limit or default; not a field of somebody else's object. */
const privateLimit =
  /(?<![\w.'"`-])#?((?:most|least|fewest|longest|shortest|largest|smallest|slowest|usual)[A-Z]\w*)/g;

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
  function longFile(path, text) {
    const lines = text.split('\n').length - 1;
    if (longTests.includes(path))
      return lines > maxLines ? [] : [`${path}: short enough now; take it off the list`];
    return lines > maxLines ? [`${path}: ${lines} lines; the maximum is ${maxLines}`] : [];
  },
  function hookOnImport(path, text) {
    return path.endsWith('.test.ts')
      ? []
      : [...text.matchAll(/^(?:before|after)(?:Each|All)\(/gm)].map(
          ({ index }) =>
            `${path}:${lineOf(text, index)}: a hook on import runs in the first file of a process ` +
            `alone; export a function for test files to call`,
        );
  },
  function privateLimitName(path, text) {
    return text
      .split('\n')
      .flatMap((line, at) =>
        /^\s*(\/\/|\/?\*)/.test(line)
          ? []
          : [...line.matchAll(privateLimit)].map(
              ([, name]) =>
                `${path}:${at + 1}: ${name}: name a limit max… or min…, and a default default…`,
            ),
      );
  },
];

/** The violations in one file, one line of text each. */
export const brokenRules = (path, text) => rules.flatMap((rule) => rule(path, text));

/**
 * Editors show a file's name alone, so that it must be unique in its area.
 * @param areas folders of the product; a file belongs to the innermost one
 */
export function sameNames(paths, areas) {
  const innermost = areas.toSorted((a, b) => b.length - a.length);
  const areaOf = (path) => innermost.find((area) => path.startsWith(`${area}/`));
  return [
    ...Map.groupBy(
      paths.filter((path) => areaOf(path) !== undefined),
      (path) => `${areaOf(path)} ${posix.basename(path)}`,
    ).values(),
  ]
    .filter((same) => same.length > 1)
    .map((same) => `${same.join(', ')}: one name in one area`);
}

if (process.argv[1]?.endsWith('source-rules.mjs')) {
  const paths = folders.flatMap((folder) =>
    readdirSync(posix.join(root, folder), { recursive: true })
      .filter((name) => /\.(ts|mjs)$/.test(name))
      .map((name) => posix.join(folder, name.replaceAll('\\', '/'))),
  );
  const { areas } = JSON.parse(readFileSync(posix.join(root, 'scripts/areas.json'), 'utf8'));
  const inMain = paths.filter((path) => path.startsWith('main/'));
  const broken = [
    ...paths.flatMap((path) => brokenRules(path, readFileSync(posix.join(root, path), 'utf8'))),
    ...sameNames(
      inMain,
      areas.map(({ folder }) => folder),
    ),
  ];
  for (const line of broken) process.stdout.write(`${line}\n`);
  process.exit(broken.length > 0 ? 1 : 0);
}
