/**
 * Where a person accepts the terms whose text is at `termsUrl`: for the key that would sign, or, where a person signs,
 * for themselves.
 */
export const acceptUrl = (termsUrl: string, key: string): string =>
  termsUrl.replace(/\/terms\/brand(?:\/.*)?$/, key === '' ? '/developers/terms' : `/developers/keys/${key}/terms`);
