/** One place in the specification with its sentences, each under an id: area, dot, what it states in kebab-case. */
export type Heading<Id extends string> = { source: string; sentences: Readonly<Record<Id, string>> };

/** Names the place the way documents do: the title in quotes, then the number of a numbered item. */
export const heading = <const Id extends string>(source: string, sentences: Record<Id, string>): Heading<Id> => ({
  source: `spec, ${source}`,
  sentences,
});
