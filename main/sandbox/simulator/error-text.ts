import { ZodError } from 'zod';

/** An error in one line; for a ZodError each field with its rule. */
export function errorText(error: unknown): string {
  if (error instanceof ZodError)
    return error.issues
      .map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`)
      .join('; ');
  return error instanceof Error ? error.message : String(error);
}
