import { actorOf, type Client, change, isDuplicate, LostRace, type WriteHandler } from '@cds/service';
import { namedUuid } from '@cds/service/named-uuid';
import type { Peppers } from '../../keys/key-format.js';
import { mandateAudit, mandateChanged } from '../../keys/mandate-changes.js';
import type { Keys } from '../../keys/store/keys.js';
import type { Mandates } from '../../keys/store/mandates.js';
import { addMember } from '../../people/add-member.js';
import type { PeopleModule } from '../../people/module.js';
import { approved } from '../../people/texts.js';
import { moveAudit, moveBrand } from '../brand-move.js';
import { newWorkspace, ownAgentKey } from '../seed-workspace.js';
import { type Brands, presentBrand } from '../store/brands.js';
import type { Workspaces } from '../store/workspaces.js';

export type ApproveBrandDeps = {
  brands: Brands;
  workspaces: Workspaces;
  keys: Keys;
  mandates: Mandates;
  peppers: Peppers;
  people: PeopleModule;
  billing: Client<'gate_raise'>;
};

/**
 * Approves a pending brand (docs/domain/access.md#workspaces). Only billing's gate is raised before the transaction;
 * the ids follow from the brand's, so a repeat raises the same gate. Raises not_found, conflict (bad_state),
 * unavailable.
 */
export const opsBrandApprove: WriteHandler<'ops_brand_approve', ApproveBrandDeps> = async (ctx, input, deps) => {
  const { brands, workspaces, keys, mandates, people, peppers, billing } = deps;
  const moved = await moveBrand(ctx, input.id, 'approve', brands);
  const { _id: id, name, applicant } = moved.from;
  const workspace = newWorkspace(id, 'live', 1, name, ctx.networkNow, namedUuid('live workspace', id));
  const made = ownAgentKey(peppers, workspace, ctx.networkNow, actorOf(ctx));
  for (const key of made.keys)
    await billing.gate_raise(ctx, { key_id: key.key_id, workspace: key.ws, version: key.mandate_version });

  return change(presentBrand(moved.to, [workspace]), {
    save: async (tx) => {
      await brands.move(tx, moved.from, moved.to);
      await workspaces.insert(tx, [workspace]);
      await keys.insert(tx, made.keys);
      await mandates.add(tx, made.versions);
      if (applicant !== null) {
        const owner = { brandId: id, ...applicant, role: 'owner' as const, actor: actorOf(ctx) };
        await addMember(tx, people, owner, ctx.networkNow).catch((error: unknown) => {
          // Another brand's approval made the same person; deciding again finds it.
          throw isDuplicate(error) ? new LostRace('person') : error;
        });
        await people.messages.queue(tx, approved(people.appUrl, name, applicant.email), ctx.networkNow);
      }
    },
    events: made.keys.map((key) => mandateChanged(key, key.mandate_version)),
    audit: [
      moveAudit(ctx, moved, workspace._id, input.reason),
      ...made.keys.map((key) => ({
        ws: key.ws,
        actor: actorOf(ctx),
        action: 'key.made',
        object: key.key_id,
        payload: { name: key.name, scopes: key.scopes },
      })),
      ...made.versions.map(mandateAudit),
    ],
  });
};
