/**
 * Declares which sentences of the specification a test proves, by their ids in tests/contract/spec. The check there
 * reads the literal ids from the source; at run time this does nothing.
 */
export const proves = (..._ids: readonly string[]): void => undefined;
