// Writes assets/settings.schema.json from the one schema of the settings.
import { writeFileSync } from 'node:fs';
import { settingsJsonSchema } from '../main/settings/json-schema.ts';

writeFileSync(new URL('../assets/settings.schema.json', import.meta.url), settingsJsonSchema());
