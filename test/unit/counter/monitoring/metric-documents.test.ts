import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { declarations, labels } from '../../../../main/counter/monitoring/declarations.ts';
// @ts-expect-error: a script, without types
import { metricsPage } from '../../../../scripts/metrics-page.mjs';

const read = (path: string): string =>
  readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');

test('docs/metrics.md is what the declarations say; `node scripts/metrics-page.mjs` writes it', () => {
  const page = read('docs/metrics.md');
  expect(page).toBe(metricsPage());
  for (const name of Object.keys(declarations)) expect(page).toContain(`\`${name}\``);
});

const { panels } = JSON.parse(read('assets/monitoring/dashboard.json')) as {
  panels: { title: string; targets: { expr: string }[] }[];
};
const { groups } = parse(read('assets/monitoring/alerts.yml')) as {
  groups: {
    rules: {
      alert: string;
      expr: string;
      labels: { severity: string };
      annotations: { summary: string };
    }[];
  }[];
};
const rules = groups.flatMap((group) => group.rules);
const alerts = rules.map(({ alert, expr }) => ({ title: alert, expr }));
const queries = [
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr }))),
  ...alerts,
];

/** The names that Prometheus gives to the series of a metric. */
const seriesOf = Object.entries(declarations).flatMap(([name, { type }]) =>
  type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
);
/** Labels that Prometheus adds by itself. */
const added = ['instance', 'job', 'le'];

test('the dashboard and the alert rules have queries', () => {
  expect(panels.length).toBeGreaterThan(15);
  expect(alerts.length).toBeGreaterThan(5);
});

test('each alert names the counter and how urgent it is, and docs/running/watch.md says what to do about it', () => {
  const documented = [...read('docs/running/watch.md').matchAll(/^\| `(Tillbeacon\w+)` \|/gm)].map(
    ([, name = '']) => name,
  );
  expect(documented.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
  expect(
    rules.filter(({ labels: { severity } }) => !['critical', 'warning'].includes(severity)),
  ).toEqual([]);
  expect(
    rules.filter(({ annotations: { summary } }) => !summary.includes('{{ $labels.instance }}')),
  ).toEqual([]);
});

test('a counter without lanes, and an update that failed, have alerts', () => {
  const expressions = alerts.map(({ expr }) => expr).join(' ');
  for (const name of ['tillbeacon_ready == 0', 'tillbeacon_update_failed == 1'])
    expect(expressions).toContain(name);
});

test.each(queries)('$title asks for metrics and labels that there are', ({ expr }) => {
  const names = [...expr.matchAll(/\b(?:tillbeacon|process)_\w+/g)].map(([name]) => name);
  expect(names.filter((name) => !seriesOf.includes(name))).toEqual([]);
  expect(names.length + Number(expr.startsWith('up{'))).toBeGreaterThan(0);
  const matched = [...expr.matchAll(/[{,](\w+)[=!]/g)].map(([, label = '']) => label);
  const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(',').map((label) => label.trim()),
  );
  const ofMetrics = names.flatMap((name) => {
    const declared = Object.entries(declarations).find(
      ([known]) => name === known || name.replace(/_(bucket|sum|count)$/, '') === known,
    )?.[1];
    return declared !== undefined && 'labels' in declared ? [...declared.labels] : [];
  });
  expect(
    [...matched, ...grouped].filter(
      (label) => !added.includes(label) && !(ofMetrics as string[]).includes(label),
    ),
  ).toEqual([]);
});

test('no label holds what is about a customer or an amount', () => {
  expect(
    Object.keys(labels).filter((label) =>
      /amount|customer|order|sale|payment|phone|name|id$/i.test(label),
    ),
  ).toEqual([]);
});
