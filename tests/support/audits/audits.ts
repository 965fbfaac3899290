import { setTimeout as delay } from 'node:timers/promises';
import { auditSignings, type Databases, unfinishedHolds } from './audit.js';
import { auditCommands } from './commands.js';
import { auditEntries } from './entries.js';
import { auditEvents } from './events.js';
import { auditFeed } from './feed.js';
import { auditOrders } from './orders.js';

const REST_MS = 60_000;
const LOOK_EVERY_MS = 500;

/** Every audit over the databases of a system at rest: each sentence names what is wrong; none means all is well. */
export const auditAll = async (databases: Databases): Promise<string[]> => [
  ...(await unfinishedHolds(databases)).map((hold) => `I55: signing ${hold.signing_id} is not final`),
  ...(await auditEvents(databases)),
  ...(await auditFeed(databases)),
  ...(await auditSignings(databases)),
  ...(await auditOrders(databases)),
  ...(await auditCommands(databases)),
  ...(await auditEntries(databases)),
];

/** What every audit still finds once the system had time to come to rest. */
export const wrongAtRest = async (databases: Databases): Promise<string[]> => {
  const end = performance.now() + REST_MS;
  for (;;) {
    const wrong = await auditAll(databases);
    if (wrong.length === 0 || performance.now() > end) return wrong;
    await delay(LOOK_EVERY_MS);
  }
};
