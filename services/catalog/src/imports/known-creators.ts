import type { Creator, Identity } from '../domain/creator/creator.js';
import { isOfNetwork } from '../domain/creator/leaving.js';
import type { ReadRow, Stated } from '../domain/import/stated.js';
import type { PostEvidence } from '../domain/launches/evidence.js';
import type { DepartedNames } from '../identity/departed.js';
import type { Identities } from '../identity/identities.js';
import type { PostEvidenceRows } from '../identity/post-evidence.js';
import type { Creators } from '../store/creators.js';

export type Known = {
  byNetworkId: Map<string, Creator>;
  byId: Map<string, Creator>;
  identities: Map<string, Identity>;
  holderOf: Map<string, string>;
  evidence: ReadonlyMap<string, PostEvidence[]>;
  /** By handles that nobody has any more: their last holder, or the creator it was merged into. */
  formerly: ReadonlyMap<string, Former>;
};

/** The last holder of a handle. With `ofNetwork`, a row with a different network id is somebody else. */
type Former = { creator: Creator; ofNetwork: boolean };

export class KnownCreators {
  constructor(
    private readonly creators: Creators,
    private readonly identities: Identities,
    private readonly evidence: Pick<PostEvidenceRows, 'ofCreators'>,
    private readonly departed: Pick<DepartedNames, 'of'>,
  ) {}

  async among(rows: readonly ReadRow[]): Promise<Known> {
    const stated = rows.flatMap((row) => row.stated ?? []);
    const networkIds = stated.flatMap(({ network_id }) => network_id ?? []);
    const handles = stated.map(({ handle }) => handle.toLowerCase());
    const [byNetwork, holders] = await Promise.all([
      this.creators.byNetworkIds(networkIds),
      this.identities.holding(handles),
    ]);
    // Read in the order in which a creator leaves, so that one leaving right now is found in either place.
    const leaving = await this.creators.leavingAmong(networkIds);
    const departed = await this.departed.of(networkIds, handles);
    const left = [...departed.byNetworkId.values(), ...departed.byHandle.values()].map(({ creatorId }) => creatorId);
    const made = stated.flatMap(({ generated }) => generated?.id ?? []);
    const byHandle = await this.creators.byIds([...holders.map(({ _id }) => _id), ...made, ...left]);
    const survivors = await this.creators.byIds(byHandle.flatMap(({ merged_into: into }) => into ?? []));
    const creators = [...byNetwork, ...byHandle, ...survivors];
    const byId = new Map(creators.map((creator) => [creator._id, creator]));
    const own = await this.identities.ofCreators([
      ...byNetwork.map(({ _id }) => _id),
      ...left,
      ...survivors.map(({ _id }) => _id),
    ]);
    const identities = [...holders, ...own];
    return {
      byNetworkId: new Map([
        ...[...departed.byNetworkId].flatMap(([id, { creatorId }]) => {
          const creator = byId.get(creatorId);
          return creator === undefined ? [] : [[id, creator] as const];
        }),
        ...leaving,
        ...creators.map((creator) => [creator.network_id, creator] as const),
      ]),
      byId,
      formerly: new Map(
        [...departed.byHandle].flatMap(([handle, { creatorId, ofNetwork }]) => {
          const former = byId.get(creatorId);
          if (former === undefined) return [];
          if (former.erased_at !== undefined) return [[handle, { creator: former, ofNetwork }] as const];
          const creator = byId.get(former.merged_into ?? '') ?? former;
          return [[handle, { creator, ofNetwork: isOfNetwork(creator) }] as const];
        }),
      ),
      identities: new Map(identities.map((identity) => [identity._id, identity])),
      evidence: await this.evidence.ofCreators(creators.map(({ _id }) => _id)),
      holderOf: new Map(identities.map(({ _id, handle_lower }) => [handle_lower, _id])),
    };
  }
}

/** The stored creator of a row: by network id, else by handle. A creator first known by its handle gains the id. */
export const heldOf = (stated: Stated, holder: string | undefined, known: Known): Creator | null => {
  const byId = stated.network_id === null ? undefined : known.byNetworkId.get(stated.network_id);
  if (byId !== undefined) return byId;
  const made = known.byId.get(stated.generated?.id ?? '');
  if (made !== undefined) return made;
  const byHandle = holder === undefined ? undefined : known.byId.get(holder);
  const former = byHandle === undefined ? known.formerly.get(stated.handle.toLowerCase()) : undefined;
  const found = byHandle === undefined ? former : { creator: byHandle, ofNetwork: isOfNetwork(byHandle) };
  if (found === undefined) return null;
  return stated.network_id === null || !found.ofNetwork ? found.creator : null;
};

/** A row that names a creator by its former handle alone keeps the current handle. */
export const withoutFormer = (
  stated: Stated,
  holder: string | undefined,
  held: Creator | null,
  identity: Identity | undefined,
  known: Known,
): Stated => {
  if (stated.network_id !== null || holder !== undefined || held === null || identity === undefined) return stated;
  if (known.formerly.get(stated.handle.toLowerCase())?.creator._id !== held._id) return stated;
  return { ...stated, handle: identity.handle, url: identity.url };
};
