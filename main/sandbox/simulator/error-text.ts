import { ZodError } from 'zod';

/** One line; for what a schema refuses, each field with its rule. */
export function errorText(error: unknown): string {
  if (error instanceof ZodError) return error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('; ');
  return error instanceof Error ? error.message : String(error);
}
