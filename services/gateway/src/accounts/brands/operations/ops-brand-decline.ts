import { change, type WriteHandler } from '@cds/service';
import type { PeopleModule } from '../../people/module.js';
import { declined } from '../../people/texts.js';
import { moveAudit, moveBrand } from '../brand-move.js';
import { type Brands, presentBrand } from '../store/brands.js';

/** Declines a pending brand. Raises not_found, conflict (bad_state). Source: docs/domain/access.md#workspaces. */
export const opsBrandDecline: WriteHandler<'ops_brand_decline', { brands: Brands; people: PeopleModule }> = async (
  ctx,
  input,
  { brands, people },
) => {
  const moved = await moveBrand(ctx, input.id, 'decline', brands);

  return change(presentBrand(moved.to, []), {
    save: async (tx) => {
      await brands.move(tx, moved.from, moved.to);
      const { applicant } = moved.from;
      if (applicant !== null) await people.messages.queue(tx, declined(applicant.email), ctx.networkNow);
    },
    audit: [moveAudit(ctx, moved, '', input.reason)],
  });
};
