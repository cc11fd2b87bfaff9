import { z } from 'zod';

/** Where a secret is that is not in the settings themselves. */
export const SecretElsewhere = z.union([
  z.strictObject({
    env: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable'),
  }),
  z.strictObject({ file: z.string().min(1) }),
  z.strictObject({
    credential: z
      .string()
      .regex(/^(?!\.)[A-Za-z0-9._@+-]{1,255}$/, 'must be the name of a systemd credential'),
  }),
]);
export type SecretElsewhere = z.infer<typeof SecretElsewhere>;

export const secretElsewhereSays =
  'The secret itself; { "env": "NAME" } to read it from an environment variable, { "file": "PATH" } from a file (a relative path begins at the settings), ' +
  '{ "credential": "NAME" } from a credential of systemd (LoadCredential=)';
