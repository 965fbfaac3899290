/**
 * Keys by version: the highest makes new secrets, each opens what it made. `3-next` opens what 3 made and makes nothing
 * yet, so that a new key reaches every replica before use (docs/operating.md#secrets-and-their-rotation).
 */
export type KeyRing<Key> = Readonly<Record<string, Key>>;

const VERSION = /^([1-9]\d{0,8})(-next)?$/;
const IN_USE = /^[1-9]\d{0,8}$/;

/** What is wrong with the names of a ring's keys; null if nothing is. */
export const ringProblem = (names: readonly string[]): string | null => {
  if (!names.every((name) => VERSION.test(name)))
    return 'versions are 1, 2 and so on, or 2-next for one not in use yet';
  if (!names.some((name) => IN_USE.test(name))) return 'no version is in use: one must have no "-next"';
  const versions = names.map((name) => VERSION.exec(name)?.[1]);
  return new Set(versions).size === versions.length ? null : 'a version is there twice';
};

export const versionInUse = (keys: KeyRing<unknown>): string => {
  const versions = Object.keys(keys).filter((name) => IN_USE.test(name));
  if (versions.length === 0) throw new Error('no key is in use');
  return String(Math.max(...versions.map(Number)));
};

export const keyOfVersion = <Key>(keys: KeyRing<Key>, version: string): Key | undefined =>
  keys[version] ?? keys[`${version}-next`];

export const keysInOrder = <Key>(keys: KeyRing<Key>): [version: string, key: Key][] => {
  const used = versionInUse(keys);
  return Object.entries(keys)
    .map(([name, key]): [string, Key] => [VERSION.exec(name)?.[1] ?? name, key])
    .sort(([one], [other]) => Number(other === used) - Number(one === used) || Number(other) - Number(one));
};
