import type { AdvanceClock, Client, Clocks, Handlers } from '@cds/service';
import { creatorAnalytics } from './operations/creator-analytics.js';
import { creatorPost } from './operations/creator-post.js';
import { creatorPostRead } from './operations/creator-post-read.js';
import { evidenceList } from './operations/evidence-list.js';
import { lineDispute } from './operations/line-dispute.js';
import { lineDisputes } from './operations/line-disputes.js';
import { lineIntegrity } from './operations/line-integrity.js';
import { metricsClockSet } from './operations/metrics-clock-set.js';
import { metricsDue } from './operations/metrics-due.js';
import { opsDisputeDecide } from './operations/ops-dispute-decide.js';
import { opsDisputesList } from './operations/ops-disputes-list.js';
import { opsLineGone } from './operations/ops-line-gone.js';
import { opsLineLook } from './operations/ops-line-look.js';
import { opsLinePost } from './operations/ops-line-post.js';
import { opsLineReadings } from './operations/ops-line-readings.js';
import { opsPostsList } from './operations/ops-posts-list.js';
import { opsReadingsImport } from './operations/ops-readings-import.js';
import { resultsList } from './operations/results-list.js';
import { sandboxLinePost } from './operations/sandbox-line-post.js';
import { sandboxLinePostChange } from './operations/sandbox-line-post-change.js';
import type { Campaigns } from './store/campaigns.js';
import type { Lines } from './store/lines.js';
import type { Integrity, PostWriter } from './store/post-writer.js';
import type { Posts } from './store/posts.js';
import type { Readings } from './store/readings.js';

/** What the operations of this service may use. */
export type Deps = {
  lines: Lines;
  posts: Posts;
  readings: Readings;
  integrity: Integrity;
  writer: PostWriter;
  clocks: Clocks;
  campaigns: Campaigns;
  calls: Client<'campaign_known' | 'identity_reveal'>;
  advanceClock: AdvanceClock;
};

export const handlers = {
  creatorPost,
  creatorAnalytics,
  creatorPostRead,
  evidenceList,
  resultsList,
  sandboxLinePost,
  lineDispute,
  lineDisputes,
  lineIntegrity,
  opsDisputeDecide,
  opsDisputesList,
  opsLineGone,
  opsLineLook,
  opsLinePost,
  opsLineReadings,
  opsPostsList,
  opsReadingsImport,
  sandboxLinePostChange,
  metricsDue,
  metricsClockSet,
} satisfies Handlers<'metrics', Deps>;
