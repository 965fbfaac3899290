import { type Member, notFound } from '@cds/contracts';
import type { Ctx, Tx } from '@cds/service';
import type { BrandRow } from '../brands/store/workspaces.js';
import { lastOwner } from './domain/members.js';
import type { PeopleModule } from './module.js';
import type { MemberRow } from './store/members.js';
import type { PersonRow } from './store/people.js';

export const brandAndMembers = async (
  ctx: Ctx,
  { workspaces, members }: PeopleModule,
): Promise<{ brand: BrandRow; members: MemberRow[] }> => {
  const workspace = await workspaces.byId(ctx.principal.workspace);
  const [brand] = workspace === null ? [] : await workspaces.brandsOf([workspace.brand_id]);
  if (brand === undefined) throw notFound('brand');
  return { brand, members: await members.ofBrand(brand._id) };
};

/** Runs a change of owners while no other runs, and undoes one that would leave no owner. */
export const keepingAnOwner = async (
  tx: Tx,
  brandId: string,
  { members }: PeopleModule,
  work: () => Promise<void>,
): Promise<void> => {
  await members.lockOwners(tx, brandId);
  await work();
  // Another change came between the decision and the lock.
  if ((await members.joinedOwners(tx, brandId)) === 0) throw lastOwner();
};

export const presentMember = (row: MemberRow, person: Pick<PersonRow, 'email' | 'name'>): Member => ({
  id: row._id,
  person_id: row.person_id,
  email: person.email,
  name: person.name,
  role: row.role,
  invited_at: row.created_at.toISOString(),
  joined_at: row.joined_at?.toISOString() ?? null,
});

export const presentMembers = async (rows: readonly MemberRow[], { people }: PeopleModule): Promise<Member[]> => {
  const found = await people.all(rows.map((row) => row.person_id));
  return rows.flatMap((row) => {
    const person = found.find((one) => one._id === row.person_id);
    return person === undefined ? [] : [presentMember(row, person)];
  });
};
