import { randomUUID } from 'node:crypto';
import type { BrandRole } from '@cds/contracts';
import { LostRace, type Tx } from '@cds/service';
import type { MemberRow, Members } from './store/members.js';
import { newPerson, type People } from './store/people.js';

/** A person to be a member of a brand; `actor` is whoever decided it, as the audit names them. */
export type NewMember = {
  brandId: string;
  email: string;
  name: string;
  role: BrandRole;
  actor: string;
  /** The ids that the answer named before the transaction; made here otherwise. */
  ids?: { member: string; person: string };
};

/** Makes the reader of an address a member, in the transaction that decides it. Raises a duplicate for a member. */
export const addMember = async (
  tx: Tx,
  { people, members }: { people: People; members: Members },
  { brandId, email, name, role, actor, ids }: NewMember,
  at: Date,
): Promise<MemberRow> => {
  const known = await people.inTx(tx, email);
  const person = known ?? newPerson(ids?.person ?? randomUUID(), email, name, at);
  // Somebody else made the person since the answer was decided.
  if (ids !== undefined && ids.person !== person._id) throw new LostRace('person');
  if (known === null) await people.insert(tx, person);
  const member: MemberRow = {
    _id: ids?.member ?? randomUUID(),
    brand_id: brandId,
    person_id: person._id,
    role,
    created_at: at,
    created_by: actor,
    joined_at: null,
  };
  await members.insert(tx, member);
  return member;
};
