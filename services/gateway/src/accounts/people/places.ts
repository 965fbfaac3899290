import type { Me } from '@cds/contracts';
import { type BrandRow, OPEN_BRANDS, type WorkspaceRow, type Workspaces } from '../brands/store/workspaces.js';
import type { Keys } from '../keys/store/keys.js';
import type { MemberRow, Members } from './store/members.js';
import type { People } from './store/people.js';
import type { Place } from './store/sessions.js';

export type PlaceDeps = { people: People; members: Members; workspaces: Workspaces; keys: Keys };

export type Entrance = { workspace: WorkspaceRow; brand: BrandRow; member: MemberRow };

/** The workspaces that a person may enter: brands by the time they joined, the live workspace of each first. */
export const entrancesOf = async (personId: string, { members, workspaces }: PlaceDeps): Promise<Entrance[]> => {
  const places = await members.ofPerson(personId);
  const ids = places.map((place) => place.brand_id);
  const [brands, all] = await Promise.all([workspaces.brandsOf(ids), workspaces.ofBrands(ids)]);
  return places.flatMap((member) => {
    const brand = brands.find((one) => one._id === member.brand_id);
    if (brand === undefined || !OPEN_BRANDS.includes(brand.status)) return [];
    return all.filter(({ brand_id }) => brand_id === brand._id).map((workspace) => ({ workspace, brand, member }));
  });
};

/** Where a session begins: in the first live workspace, preferably one that is not suspended. */
export const firstOf = (entrances: readonly Entrance[]): Entrance | undefined => {
  const live = entrances.filter(({ workspace }) => workspace.kind === 'live');
  return live.find(({ brand }) => brand.status === 'approved') ?? live[0];
};

/** The place that a session keeps; null while the workspace has no key of its own. */
export const placeOf = async ({ workspace, member }: Entrance, { keys }: PlaceDeps): Promise<Place | null> => {
  const own = await keys.own(workspace._id);
  if (own === null) return null;
  return { brand_id: workspace.brand_id, workspace: workspace._id, own_key: own.key_id, member: member._id };
};

export const presentMe = (
  person: { _id: string; email: string },
  at: Entrance,
  entrances: readonly Entrance[],
): Me => ({
  person: { id: person._id, email: person.email },
  role: at.member.role,
  workspace: { id: at.workspace._id, name: at.workspace.name, kind: at.workspace.kind, brand: at.brand.name },
  status: at.brand.status === 'suspended' ? 'suspended' : 'approved',
  workspaces: entrances.map(({ workspace, brand, member }) => ({
    id: workspace._id,
    name: workspace.name,
    kind: workspace.kind,
    brand: brand.name,
    role: member.role,
  })),
});
