// One handler for each operation that metrics declares.

export { creatorAnalytics } from './operations/creator-analytics.js';
export { creatorPost } from './operations/creator-post.js';
export { creatorPostRead } from './operations/creator-post-read.js';
export { evidenceList } from './operations/evidence-list.js';
export { lineDispute } from './operations/line-dispute.js';
export { lineDisputes } from './operations/line-disputes.js';
export { lineIntegrity } from './operations/line-integrity.js';
export { metricsClockSet } from './operations/metrics-clock-set.js';
export { metricsDue } from './operations/metrics-due.js';
export { opsDisputeDecide } from './operations/ops-dispute-decide.js';
export { opsDisputesList } from './operations/ops-disputes-list.js';
export { opsLineGone } from './operations/ops-line-gone.js';
export { opsLineLook } from './operations/ops-line-look.js';
export { opsLinePost } from './operations/ops-line-post.js';
export { opsLineReadings } from './operations/ops-line-readings.js';
export { opsPostsList } from './operations/ops-posts-list.js';
export { opsReadingsImport } from './operations/ops-readings-import.js';
export { resultsList } from './operations/results-list.js';
export { sandboxLinePost } from './operations/sandbox-line-post.js';
export { sandboxLinePostChange } from './operations/sandbox-line-post-change.js';
