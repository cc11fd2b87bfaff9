/** How requests are authorised. */
export interface Access {
  /** Facts for the log. */
  readonly about: Readonly<Record<string, string>>;
  /**
   * @throws CredentialsRefusedError, ServiceUnreachableError, UnexpectedAnswerError of a token
   * endpoint
   */
  headers(): Promise<Readonly<Record<string, string>>>;
  /**
   * Called when the service answered 401 to these headers. @returns whether newer ones can be had,
   * so that another attempt makes sense
   */
  refused(headers: Readonly<Record<string, string>>): boolean;
}

/**
 * A bearer token: a merchant's API key, or an access token that the caller keeps fresh.
 * @param token asked before every request, and once more after a 401
 */
export function merchantAccess(token: string | (() => Promise<string>)): Access {
  return {
    about: {},
    headers: async () => ({
      authorization: `Bearer ${typeof token === 'string' ? token : await token()}`,
    }),
    refused: () => typeof token !== 'string',
  };
}
