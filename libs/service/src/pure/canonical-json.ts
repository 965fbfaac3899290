import canonicalize from 'canonicalize';

export const canonicalJson = (value: unknown): string => {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('the value has no canonical JSON');
  return text;
};
