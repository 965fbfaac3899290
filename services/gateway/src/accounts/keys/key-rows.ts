import { randomUUID } from 'node:crypto';
import type { Scope } from '@cds/contracts';
import type { WorkspaceRow } from '../brands/store/workspaces.js';
import { newKey, type Peppers, storedSecret } from './key-format.js';
import type { KeyRow } from './store/keys.js';

/** A new key; `own` marks the workspace's own agent key, whose secret nobody ever learns. */
export type KeyWanted = {
  name: string;
  scopes: readonly Scope[];
  expiresAt: Date | null;
  createdBy: string;
  own: boolean;
  mayDelegate?: boolean;
  parent?: KeyRow['parent'];
  /** The grant of the client that makes it as that key; null if none does. */
  madeByGrant?: string | null;
  /** The key's uuid, when it must be the same however often the key is made. */
  keyId?: string;
};

export const keyRow = (
  peppers: Peppers,
  workspace: WorkspaceRow,
  wanted: KeyWanted,
  now: Date,
): { row: KeyRow; text: string } => {
  const key = newKey(workspace.kind === 'sandbox');
  const parent = wanted.parent ?? null;
  return {
    row: {
      _id: key.publicId,
      key_id: wanted.keyId ?? randomUUID(),
      ws: workspace._id,
      ws_name: workspace.name,
      reads_ws: workspace.reads_ws,
      sandbox: workspace.kind === 'sandbox',
      suspended: workspace.suspended,
      suspension_version: workspace.suspension_version,
      offset_ms: workspace.offset_ms,
      ...(workspace.sandbox_state === undefined ? {} : { sandbox_state: workspace.sandbox_state }),
      name: wanted.name,
      own: wanted.own,
      secret_hmac: wanted.own ? null : storedSecret(peppers, key.secret),
      scopes: [...wanted.scopes],
      mandate: null,
      mandate_version: 0,
      settings_version: 0,
      created_at: now,
      created_by: wanted.createdBy,
      expires_at: wanted.expiresAt,
      revoked_at: null,
      parent,
      made_by_grant: wanted.madeByGrant ?? null,
      ...(parent !== null && { parent_in_feed: true as const }),
      may_delegate: wanted.mayDelegate ?? false,
    },
    text: key.text,
  };
};
