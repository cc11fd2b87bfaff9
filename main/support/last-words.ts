/** What a command says of the error that ends it, and its exit code: 2 for a mistake in how it was started. Of a wrong option it says what it takes. */
export function lastWords(
  error: NodeJS.ErrnoException,
  { usage, mistake }: { usage: string; mistake: abstract new (...args: never[]) => Error },
): {
  readonly text: string;
  readonly code: 1 | 2;
} {
  const isWrongOption = error.code?.startsWith('ERR_PARSE_ARGS') ?? false;
  return { text: `${error.message}\n${isWrongOption ? `${usage}\n` : ''}`, code: isWrongOption || error instanceof mistake ? 2 : 1 };
}
