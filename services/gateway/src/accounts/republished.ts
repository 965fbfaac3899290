import { type Republished, republishedFrom } from '@cds/service';
import type { Workspaces } from './brands/store/workspaces.js';
import { mandateChanged } from './keys/mandate-changes.js';
import type { Keys } from './keys/store/keys.js';

/** Every sandbox clock that ever moved, and every key's newest mandate. Version 0 was never published. */
export const republished = (workspaces: Workspaces, keys: Keys): Republished[] => [
  republishedFrom('clock.set', workspaces.rows, (rows) =>
    rows
      .filter(({ clock_version }) => clock_version > 0)
      .map(({ _id, clock_version, offset_ms, created_at }) => ({
        aggregate: _id,
        version: clock_version,
        workspace: _id,
        offset_ms,
        at: created_at.toISOString(),
      })),
  ),
  republishedFrom('mandate.changed', keys.rows, (rows) =>
    rows
      .filter(({ mandate_version, parent }) => mandate_version > 0 && parent === null)
      .map((key) => mandateChanged(key, key.mandate_version).payload),
  ),
];
