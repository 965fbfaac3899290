/** One place of the specification and its sentences, each under its id: area, dot, what it states in kebab-case. */
export type Heading<Id extends string> = { source: string; sentences: Readonly<Record<Id, string>> };

/** Names the place as documents do: the title in quotes, and the number of a numbered item behind it. */
export const heading = <const Id extends string>(source: string, sentences: Record<Id, string>): Heading<Id> => ({
  source: `spec, ${source}`,
  sentences,
});
