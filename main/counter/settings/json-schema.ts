import { z } from 'zod';
import { Settings } from './schema.ts';

/** The content of `assets/settings.schema.json`, with which editors complete a settings file. */
export function settingsJsonSchema(): string {
  return `${JSON.stringify(z.toJSONSchema(Settings, { io: 'input' }), null, 2)}\n`;
}
