import type { Principal } from '@cds/contracts';

/** A child key counts against its parent's document: one statement guards both caps (docs/reliability.md#authority). */
export type Account = { document: string; child: string | null };

export const accountOf = ({ key, parent }: Pick<Principal, 'key' | 'parent'>): Account =>
  parent === undefined ? { document: key, child: null } : { document: parent.key, child: key };

/** Monthly caps in US cents. */
export type Caps = { document: number; child: number | null };

export const capsOf = ({ mandate, parent }: Pick<Principal, 'mandate' | 'parent'>): Caps => {
  const own = mandate?.monthly_cap_cents ?? 0;
  return parent === undefined ? { document: own, child: null } : { document: parent.monthly_cap_cents, child: own };
};

export const countersOf = ({ child }: Account, month: string): string[] => {
  const document = `months.${month}.held`;
  return child === null ? [document] : [document, `months.${month}.children.${child}.held`];
};
