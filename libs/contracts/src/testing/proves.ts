/** Which sentences of the specification a test proves (tests/contract/spec); at run time this does nothing. */
export const proves = (..._ids: readonly string[]): void => undefined;
