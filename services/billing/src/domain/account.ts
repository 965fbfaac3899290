import type { Principal } from '@cds/contracts';

// Whose authority a key's approvals count against (docs/reliability.md#authority): its own, or for a child key its
// parent's, so that one statement guards both caps.

/**
 * The key of the document, and the child whose counter is charged as well; null for a key that was not made by another.
 */
export type Account = { document: string; child: string | null };

export const accountOf = ({ key, parent }: Pick<Principal, 'key' | 'parent'>): Account =>
  parent === undefined ? { document: key, child: null } : { document: parent.key, child: key };

/** Monthly caps in US cents: of the document's key, and of the child that signs. */
export type Caps = { document: number; child: number | null };

export const capsOf = ({ mandate, parent }: Pick<Principal, 'mandate' | 'parent'>): Caps => {
  const own = mandate?.monthly_cap_cents ?? 0;
  return parent === undefined ? { document: own, child: null } : { document: parent.monthly_cap_cents, child: own };
};

export const countersOf = ({ child }: Account, month: string): string[] => {
  const document = `months.${month}.held`;
  return child === null ? [document] : [document, `months.${month}.children.${child}.held`];
};
