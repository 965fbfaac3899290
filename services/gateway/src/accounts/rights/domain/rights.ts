// The rights that a brand's caller depends on. Each has a version, and its end says below which version it has ended,
// so that it concerns requests admitted before and none admitted after (docs/reliability.md#ended-rights).

export type RightEnd = {
  right: string;
  below: number;
  /** Whose approvals may depend on it: those of a key and its children, of a workspace, or of a brand's people. */
  of: { key_id: string } | { ws: string } | { brand_id: string };
};

/** Above every version: what ended so never comes back. */
const FOR_GOOD = 2 ** 31 - 1;

export const rightOf = {
  key: (keyId: string): string => `key:${keyId}`,
  grant: (grantId: string): string => `grant:${grantId}`,
  member: (memberId: string): string => `member:${memberId}`,
  workspace: (ws: string): string => `workspace:${ws}`,
} as const;

export const keyEnd = (keyId: string, below: number = FOR_GOOD): RightEnd => ({
  right: rightOf.key(keyId),
  below,
  of: { key_id: keyId },
});

export const grantEnd = ({ _id, key_id }: { _id: string; key_id: string }): RightEnd => ({
  right: rightOf.grant(_id),
  below: FOR_GOOD,
  of: { key_id },
});

export const memberEnd = (
  { _id, brand_id }: { _id: string; brand_id: string },
  below: number = FOR_GOOD,
): RightEnd => ({ right: rightOf.member(_id), below, of: { brand_id } });

export const workspaceEnd = (ws: string, version: number): RightEnd => ({
  right: rightOf.workspace(ws),
  below: version,
  of: { ws },
});
