/** The catalog publishes no fact yet: prices are read when they are charged. */
export const catalogEvents = {} as const;
