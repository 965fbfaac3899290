/** The length of a text in code points, the unit of every length in the API (docs/domain/plans.md#campaign-input). */
export const codePointCount = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};
