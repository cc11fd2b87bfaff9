/** The message and exit code for the error that ends a command: 2 and the usage for a mistake in its arguments. */
export function usageError(
  error: NodeJS.ErrnoException,
  { usage, mistake }: { usage: string; mistake: abstract new (...args: never[]) => Error },
): {
  readonly text: string;
  readonly code: 1 | 2;
} {
  const isWrongOption = error.code?.startsWith('ERR_PARSE_ARGS') ?? false;
  // Node appends advice that does not apply here.
  const said = isWrongOption ? `${error.message.split('\n', 1)[0]}\n${usage}` : error.message;
  return { text: `${said}\n`, code: isWrongOption || error instanceof mistake ? 2 : 1 };
}
