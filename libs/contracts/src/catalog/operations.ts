import { clockSet } from '../clock.js';
import { shellOperations } from '../shell-operations.js';
import { audienceOperations } from './audience.js';
import { avatarOperations } from './avatars.js';
import { candidateOperations } from './candidates.js';
import { creatorPauseOperations } from './creator-side.js';
import { creatorOperations } from './creators.js';
import { devNetworkOperations } from './dev-network.js';
import { guestNetworkOperations } from './guests.js';
import { identityOperations } from './identity.js';
import { importOperations } from './imports.js';
import { launchOperations } from './launches.js';
import { opsCreatorOperations } from './ops-creators.js';
import { priceRequestOperations } from './price-requests.js';
import { priceOperations } from './prices.js';
import { readLimitOperations } from './read-limits.js';
import { unitOperations } from './units.js';

export const catalogOperations = {
  ...audienceOperations,
  ...guestNetworkOperations,
  ...creatorOperations,
  ...creatorPauseOperations,
  ...priceRequestOperations,
  ...readLimitOperations,
  ...candidateOperations,
  ...unitOperations,
  ...identityOperations,
  ...avatarOperations,
  ...opsCreatorOperations,
  ...importOperations,
  ...priceOperations,
  ...launchOperations,
  ...devNetworkOperations,
  ...clockSet('catalog'),
  ...shellOperations('catalog'),
} as const;
