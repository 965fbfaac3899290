/** Launches and paid partnerships on the wire (docs/specification.md#creator, past_collabs). */
import type { ListedCollab, PastCollab } from '@cds/contracts';
import { type Collab, collabsShown, initialsOf } from '../domain/launches/collabs.js';
import { PARTNER_NOT_NAMED } from '../domain/launches/evidence.js';

type WithCollabs = { collabs?: readonly Collab[] };

const presentListed = ({ project, title, date, role, brand }: Collab): ListedCollab => ({
  project,
  title,
  date,
  role,
  brand: {
    avatar_url: brand?.avatar_url ?? null,
    site: brand?.site ?? null,
    initials: initialsOf(brand?.name ?? (project === PARTNER_NOT_NAMED ? '' : project)),
  },
});

export const presentListedCollabs = ({ collabs = [] }: WithCollabs): ListedCollab[] =>
  collabsShown(collabs).map(presentListed);

export const presentCollabs = ({ collabs = [] }: WithCollabs): PastCollab[] =>
  collabsShown(collabs).map((collab) => {
    const listed = presentListed(collab);
    return { ...listed, url: null, brand: { ...listed.brand, handle: collab.brand?.handle ?? null } };
  });
