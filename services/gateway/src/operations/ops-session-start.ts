import type { WriteHandler } from '@cds/service';
import type { PeopleModule } from '../people/module.js';

/**
 * Takes a sign-in link and starts an operator's session. Raises unauthorized. Source: docs/domain/access.md#operators.
 */
export const opsSessionStart: WriteHandler<'ops_session_start', { people: PeopleModule }> = (ctx, input, { people }) =>
  people.operators.start(ctx, input.token);
