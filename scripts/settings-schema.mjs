// Writes assets/settings.schema.json and docs/settings.md from the one schema of the settings.
import { writeFileSync } from 'node:fs';
import { readCommand } from './command.mjs';
import { settingsPage } from './settings-page.mjs';
import { settingsJsonSchema } from '../main/counter/settings/json-schema.ts';

readCommand({
  call: 'npm run settings-schema --',
  does: 'Writes assets/settings.schema.json and docs/settings.md from the one schema of the settings.',
  options: {},
});

writeFileSync(new URL('../assets/settings.schema.json', import.meta.url), settingsJsonSchema());
writeFileSync(new URL('../docs/settings.md', import.meta.url), settingsPage());
