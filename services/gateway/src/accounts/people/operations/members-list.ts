import type { ReadHandler } from '@cds/service';
import { brandAndMembers, presentMembers } from '../members.js';
import type { PeopleModule } from '../module.js';

export const membersList: ReadHandler<'members_list', { people: PeopleModule }> = async (ctx, _input, { people }) => {
  const { members } = await brandAndMembers(ctx, people);

  return { members: await presentMembers(members, people) };
};
