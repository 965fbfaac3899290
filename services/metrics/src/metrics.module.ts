import {
  type AdvanceClock,
  clockSet,
  type DepsOf,
  DueFacts,
  type OneHandlerEach,
  RowRunner,
  type ServiceParts,
  type Shell,
} from '@cds/service';
import { campaignChanged } from './events/campaign-changed.js';
import { lineChanged } from './events/line-changed.js';
import { orderChanged } from './events/order-changed.js';
import { republished } from './events/republished.js';
import * as handlers from './handlers.js';
import { Campaigns } from './store/campaigns.js';
import { Lines } from './store/lines.js';
import { Integrity, PostWriter } from './store/post-writer.js';
import { Posts } from './store/posts.js';
import { Readings } from './store/readings.js';
import { duePosts } from './sweeps/due-posts.js';

export const metricsModule = (shell: Shell<'metrics'>, advanceClock: AdvanceClock): ServiceParts => {
  const { store, outbox, calls } = shell;
  const lines = new Lines(store);
  const posts = new Posts(store);
  const readings = new Readings(store);
  const integrity = new Integrity(store);
  const writer = new PostWriter(posts, integrity);
  const campaigns = new Campaigns(store);
  const rows = new RowRunner(store, shell.log);
  const due = new DueFacts(shell.clocks, duePosts({ store, posts, writer, readings, outbox, calls, rows }), shell.log);
  const deps: DepsOf<typeof handlers> = {
    lines,
    posts,
    readings,
    integrity,
    writer,
    campaigns,
    calls,
    clocks: shell.clocks,
    advanceClock,
  };
  const projection = { lines, posts, writer, outbox, due };
  return {
    handlers: handlers satisfies OneHandlerEach<'metrics', typeof handlers>,
    deps,
    consumers: [
      orderChanged(projection),
      lineChanged(projection),
      campaignChanged({ campaigns }),
      clockSet(shell.clocks, due),
    ],
    reset: { collections: ['lines', 'campaigns', 'posts', 'readings', 'integrity'] },
    republished: republished(posts, shell.outbox),
    sweeps: due.sweeps(),
  };
};
