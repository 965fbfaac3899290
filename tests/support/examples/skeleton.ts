/**
 * What two runs must agree in: which fields there are, of which types, down to the items of lists, whose fields are
 * taken together. Values differ with the day, and a field may be null on one day and not on another.
 */
export type Skeleton = ReadonlyMap<string, ReadonlySet<string>>;

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);

export const skeletonOf = (value: unknown): Skeleton => {
  const found = new Map<string, Set<string>>();
  const visit = (inner: unknown, path: string): void => {
    const types = found.get(path) ?? new Set();
    found.set(path, types.add(typeOf(inner)));
    if (Array.isArray(inner)) for (const item of inner) visit(item, `${path}[]`);
    else if (typeof inner === 'object' && inner !== null)
      for (const [key, field] of Object.entries(inner)) visit(field, `${path}.${key}`);
  };
  visit(value, '');
  return found;
};

/** Under which paths only one of the two has something, or both have different types other than null. */
export const differences = (one: Skeleton, other: Skeleton): string[] => {
  const paths = new Set([...one.keys(), ...other.keys()]);
  return [...paths].filter((path) => {
    const [left, right] = [one.get(path), other.get(path)];
    // Below a null or an empty list on one side nothing can be compared.
    if (left === undefined || right === undefined) return !hasOpenParent(path, left === undefined ? one : other);
    const [types, others] = [named(left), named(right)];
    return types !== '' && others !== '' && types !== others;
  });
};

const named = (types: ReadonlySet<string>): string =>
  ['array', 'boolean', 'number', 'object', 'string'].filter((type) => types.has(type)).join();

const hasOpenParent = (path: string, of: Skeleton): boolean => {
  for (let at = path; at !== ''; at = parentOf(at)) {
    const types = of.get(parentOf(at));
    if (types === undefined) continue;
    return types.has('null') || (at.endsWith('[]') && types.has('array'));
  }
  return false;
};

const parentOf = (path: string): string =>
  path.endsWith('[]') ? path.slice(0, -2) : path.slice(0, Math.max(0, path.lastIndexOf('.')));
