import { randomUUID } from 'node:crypto';
import { conflict } from '@cds/contracts';
import { actorOf, change, isDuplicate, LostRace, type WriteHandler } from '@cds/service';
import { checkQuota } from '../../../edge/port.js';
import { addMember } from '../add-member.js';
import { brandAndMembers, presentMember } from '../members.js';
import type { PeopleModule } from '../module.js';
import { INVITATION_QUOTA } from '../quotas.js';
import { invitation } from '../texts.js';

const alreadyMember = () =>
  conflict('already_member', 'This address is already a member or invited. Change the role of that member instead.');

/**
 * The invited person joins by signing in (docs/domain/sign-in.md#members). Raises conflict (already_member),
 * rate_limited.
 */
export const memberInvite: WriteHandler<'member_invite', { people: PeopleModule }> = async (ctx, input, { people }) => {
  const [{ brand, members }, known] = await Promise.all([
    brandAndMembers(ctx, people),
    people.people.byEmail(input.email),
  ]);
  if (members.some(({ person_id }) => person_id === known?._id)) throw alreadyMember();
  checkQuota(await people.quotas.use(INVITATION_QUOTA, brand._id), INVITATION_QUOTA);

  const actor = actorOf(ctx);
  const at = ctx.networkNow;
  const wanted = { brandId: brand._id, email: input.email, name: '', role: input.role, actor };
  const person = { id: known?._id ?? randomUUID(), name: known?.name ?? '', email: input.email };
  const row = {
    _id: randomUUID(),
    brand_id: brand._id,
    person_id: person.id,
    role: input.role,
    created_at: at,
    created_by: actor,
    joined_at: null,
  };
  return change(presentMember(row, person), {
    save: async (tx) => {
      try {
        await addMember(tx, people, { ...wanted, ids: { member: row._id, person: person.id } }, at);
      } catch (error) {
        // The same address was invited at the same time; deciding again finds it.
        throw isDuplicate(error) ? new LostRace('member') : error;
      }
      await people.messages.queue(tx, invitation(people.appUrl, brand.name, input.email), at);
    },
    audit: [
      {
        ws: ctx.principal.workspace,
        actor,
        action: 'member.invited',
        object: row._id,
        payload: { person: person.id, role: input.role },
      },
    ],
  });
};
