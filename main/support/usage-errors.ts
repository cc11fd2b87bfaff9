/** What a command says of the error that ends it, and its exit code: 2 for a mistake in how it was started. Of a wrong option it says what it takes. */
export function usageError(
  error: NodeJS.ErrnoException,
  { usage, mistake }: { usage: string; mistake: abstract new (...args: never[]) => Error },
): {
  readonly text: string;
  readonly code: 1 | 2;
} {
  const isWrongOption = error.code?.startsWith('ERR_PARSE_ARGS') ?? false;
  // Of a wrong option Node goes on with how to write one that looks like another.
  const said = isWrongOption ? `${error.message.split('\n', 1)[0]}\n${usage}` : error.message;
  return { text: `${said}\n`, code: isWrongOption || error instanceof mistake ? 2 : 1 };
}
