import { APPLY_CONSENT } from '@cds/contracts';
import type { Client, WriteHandler } from '@cds/service';
import { checkQuota, evenly, rateLimitAddressOf, VISIT_STEP_MS } from '../../../edge/port.js';
import type { PeopleModule } from '../module.js';
import { APPLICATION_QUOTA } from '../quotas.js';

/** Answer and time are the same for every handle (docs/domain/pages.md#creator-applications). Raises rate_limited. */
export const creatorApply: WriteHandler<'creator_apply', { people: PeopleModule; catalog: Client<'creator_applied'> }> =
  evenly(VISIT_STEP_MS, async (ctx, { handle, followers, units }, { people, catalog }) => {
    const used = await people.quotas.use(APPLICATION_QUOTA, rateLimitAddressOf(ctx.client?.address ?? ''));
    checkQuota(used, APPLICATION_QUOTA);

    await catalog.creator_applied(
      { ...ctx, command: null },
      { handle, followers, units, consent: APPLY_CONSENT.version },
    );

    return { status: 'received' };
  });
