import type { AdvanceClock, Client, Handlers } from '@cds/service';
import { evidenceList } from './operations/evidence-list.js';
import { metricsClockSet } from './operations/metrics-clock-set.js';
import { metricsDue } from './operations/metrics-due.js';
import { resultsList } from './operations/results-list.js';
import { sandboxLinePost } from './operations/sandbox-line-post.js';
import type { Campaigns } from './store/campaigns.js';
import type { Lines } from './store/lines.js';
import type { Posts } from './store/posts.js';

/** What the operations of this service may use. */
export type Deps = {
  lines: Lines;
  posts: Posts;
  campaigns: Campaigns;
  calls: Client<'campaign_known' | 'identity_reveal'>;
  advanceClock: AdvanceClock;
};

export const handlers = {
  evidenceList,
  resultsList,
  sandboxLinePost,
  metricsDue,
  metricsClockSet,
} satisfies Handlers<'metrics', Deps>;
