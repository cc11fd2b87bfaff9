import { z } from 'zod';
import { Settings } from './schema.ts';

/** What `assets/settings.schema.json` holds: for editors that complete a settings file. */
export function settingsJsonSchema(): string {
  return `${JSON.stringify(z.toJSONSchema(Settings, { io: 'input' }), null, 2)}\n`;
}
