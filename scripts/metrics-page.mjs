// Writes docs/metrics.md: every metric, from the declarations.
import './node-version.mjs';
import { writeFileSync } from 'node:fs';
import { declarations, labels } from '../main/counter/monitoring/declarations.ts';

const pageAt = new URL('../docs/metrics.md', import.meta.url);

const row = ([name, { type, help, labels: names = [], buckets }]) =>
  `| \`${name}\` | ${type}${buckets === undefined ? '' : ` (${buckets.join(', ')})`} | ${names.map((label) => `\`${label}\``).join(', ')} | ${help} |`;

/** The page as the declarations are now. */
export function metricsPage() {
  return `# Metrics

For [Prometheus](https://prometheus.io), at \`/metrics\` of the screens' address to this machine (\`http://127.0.0.1:4180/metrics\`), and to others where [the settings](settings.md) have \`monitoring.metrics\`. What to do with them, and the dashboard and the alert rules: [watch.md](running/watch.md). Made from \`main/counter/monitoring/declarations.ts\` by \`node scripts/metrics-page.mjs\`; a test says when it is out of date.

They count from the start of the daemon, and are about it alone: an app that is its screens serves none, and says in its own windows how it is updated. No label names a customer, a payment or an amount. In brackets the upper bounds of a histogram's buckets, in seconds.

| metric | type | labels | what it says |
|---|---|---|---|
${Object.entries(declarations).map(row).join('\n')}

## Labels

| label | is |
|---|---|
${Object.entries(labels)
  .map(([name, help]) => `| \`${name}\` | ${help} |`)
  .join('\n')}
`;
}

if (process.argv[1]?.endsWith('metrics-page.mjs')) writeFileSync(pageAt, metricsPage());
