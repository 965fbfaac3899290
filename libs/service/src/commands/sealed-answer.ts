/** A secret of an answer, stored encrypted, and the paths of the strings that it is appended to when read. */
export type Sealed = { secret: string; places: readonly (readonly string[])[] };

/**
 * A stored answer with its secret appended to the text at each declared place. No other text is searched or changed.
 */
export const opened = (json: Buffer, places: Sealed['places'], secret: string): Buffer => {
  const value = JSON.parse(json.toString()) as Record<string, unknown>;
  for (const place of places) {
    const [last, ...path] = place.toReversed();
    const holder = path.reduceRight<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
    const text = isObject(holder) && last !== undefined ? holder[last] : undefined;
    if (!isObject(holder) || last === undefined || typeof text !== 'string')
      throw new Error(`a stored answer has no text at ${place.join('.')}, where its secret belongs`);
    holder[last] = text + secret;
  }
  return Buffer.from(JSON.stringify(value));
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
