import type { WriteHandler, WriteShell } from '@cds/service';
import type { PeopleModule } from '../../people/module.js';
import { startOperatorSession } from '../operator-session.js';

/** Starts an operator's session by a link. Raises unauthorized. Source: docs/domain/operators.md#operators. */
export const opsSessionStart: WriteHandler<'ops_session_start', { shell: WriteShell; people: PeopleModule }> = (
  ctx,
  input,
  deps,
) => startOperatorSession(ctx, 'ops_session_start', input.token, deps);
