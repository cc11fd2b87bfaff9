import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

test('of the suites on Windows that `npm test` lets take turns, none waits for the long run', () => {
  const config = readFileSync(join(root, 'vitest.config.ts'), 'utf8');
  const [, turns = ''] = /% 2 \? (.+)\]\.map\(/.exec(config) ?? [];
  const files = [...turns.matchAll(/'([\w-]+)'/g)].map(
    ([, name]) => `test/windows/${name}.test.ts`,
  );
  expect(files).toHaveLength(2);
  for (const file of files)
    expect(readFileSync(join(root, file), 'utf8'), file).not.toContain('describe.runIf(isLong');
});
