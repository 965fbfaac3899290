import { notFound } from '@cds/contracts';
import { actorOf, change, type WriteHandler } from '@cds/service';
import { memberToChange } from '../domain/members.js';
import { brandAndMembers, keepingAnOwner, presentMember } from '../people/members.js';
import type { PeopleModule } from '../people/module.js';

/**
 * Removes a member or an invitation. The person's sessions in the brand end with it. Raises not_found, conflict
 * (last_owner). Source: docs/domain/access.md#members.
 */
export const memberRemove: WriteHandler<'member_remove', { people: PeopleModule }> = async (ctx, input, { people }) => {
  const { brand, members } = await brandAndMembers(ctx, people);

  const member = memberToChange(members, input.id, null);
  const person = await people.people.byId(member.person_id);
  if (person === null) throw notFound('member');

  return change(presentMember(member, person), {
    save: (tx) =>
      keepingAnOwner(tx, brand._id, people, async () => {
        await people.members.remove(tx, member);
      }),
    audit: [
      {
        ws: ctx.principal.workspace,
        actor: actorOf(ctx),
        action: 'member.removed',
        object: member._id,
        payload: { person: member.person_id, role: member.role },
      },
    ],
  });
};
