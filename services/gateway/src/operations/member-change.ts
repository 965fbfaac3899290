import { notFound } from '@cds/contracts';
import { actorOf, change, type WriteHandler } from '@cds/service';
import { memberToChange } from '../domain/members.js';
import { brandAndMembers, keepingAnOwner, presentMember } from '../people/members.js';
import type { PeopleModule } from '../people/module.js';

/**
 * Changes a member's role, from its next request on. Raises not_found, conflict (last_owner). Source:
 * docs/domain/access.md#members.
 */
export const memberChange: WriteHandler<'member_change', { people: PeopleModule }> = async (ctx, input, { people }) => {
  const { brand, members } = await brandAndMembers(ctx, people);

  const member = memberToChange(members, input.id, input.role);
  const person = await people.people.byId(member.person_id);
  if (person === null) throw notFound('member');

  return change(presentMember({ ...member, role: input.role }, person), {
    save: (tx) => keepingAnOwner(tx, brand._id, people, () => people.members.setRole(tx, member, input.role)),
    audit: [
      {
        ws: ctx.principal.workspace,
        actor: actorOf(ctx),
        action: 'member.changed',
        object: member._id,
        payload: { person: member.person_id, from: member.role, to: input.role },
      },
    ],
  });
};
