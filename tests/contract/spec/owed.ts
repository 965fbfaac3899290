/** The issue that will serve a part of the specification. */
export type Issue = 'network' | 'plans' | 'orders' | 'people';

/** A part of the specification that is not served yet: one id for the whole part, with its number of sentences. */
export type Owed = { source: string; text: string; owed: Issue; sentences: number };

/** What is not served yet, by section. The change that serves an entry breaks it up into claimed sentences. */
export const OWED = {} as const satisfies Record<`owed.${string}`, Owed>;
