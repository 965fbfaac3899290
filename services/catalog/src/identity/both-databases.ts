import { type CommandRow, OUTBOX, type OutboxRow, type Store } from '@cds/service';
import type { Creator, Identity, PriceRow } from '../domain/creator/creator.js';
import { AVATARS, type AvatarRow } from '../store/avatars.js';
import { CREATORS } from '../store/creators.js';
import { LAUNCHES, type LaunchRow } from '../store/launches.js';
import { NETWORK_STATE, type NetworkStateDoc } from '../store/network-state.js';
import { PRICES } from '../store/prices.js';
import { IDENTITIES } from './identities.js';
import { type EvidenceRow, POST_EVIDENCE } from './post-evidence.js';

/** Both databases through the identity user's client, the only one that writes both (docs/reliability.md#handles). */
export const bothDatabases = (identity: Store, catalogDb: string) => {
  const catalog = identity.database(catalogDb);
  return {
    avatars: catalog.collection<AvatarRow>(AVATARS.name),
    commands: catalog.collection<CommandRow>('commands'),
    creators: catalog.collection<Creator>(CREATORS.name),
    launches: catalog.collection<LaunchRow>(LAUNCHES.name),
    outbox: catalog.collection<OutboxRow>(OUTBOX),
    prices: catalog.collection<PriceRow>(PRICES.name),
    state: catalog.collection<NetworkStateDoc>(NETWORK_STATE),
    evidence: identity.db.collection<EvidenceRow>(POST_EVIDENCE.name),
    identities: identity.db.collection<Identity>(IDENTITIES.name),
  };
};
export type BothDatabases = ReturnType<typeof bothDatabases>;
