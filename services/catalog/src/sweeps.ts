import { ofNetwork, type Sweep } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import type { IdentityChores } from './identity/identity-chores.js';
import type { Refresher } from './imports/refresher.js';
import type { LaunchPropagation } from './launches/launch-propagation.js';
import type { AvatarFetcher } from './pictures/avatar-fetcher.js';
import type { NetworkMemory } from './snapshot/memory.js';

const TURN_EVERY_MS = 1_000;
const REFRESH_EVERY_MS = 2_000;
const FETCH_AVATARS_EVERY_MS = 5_000;
const RECOVER_EVERY_MS = 5_000;

export const sweepsOf = (work: {
  memory: NetworkMemory;
  avatarFetcher: AvatarFetcher;
  launchPropagation: LaunchPropagation;
  chores: IdentityChores;
  refreshers: readonly Refresher[];
}): Sweep[] => [
  ofNetwork('turn_day', TURN_EVERY_MS, async (at) => {
    work.memory.turn(dayOf(at));
    return 0;
  }),
  ofNetwork('fetch_avatars', FETCH_AVATARS_EVERY_MS, (at) => work.avatarFetcher.run(at)),
  ofNetwork('propagate_launches', RECOVER_EVERY_MS, () => work.launchPropagation.run()),
  ofNetwork('identity chores', RECOVER_EVERY_MS, () => work.chores.run()),
  ...work.refreshers.map((refresher) => ofNetwork('refresh_creators', REFRESH_EVERY_MS, (at) => refresher.next(at))),
];
