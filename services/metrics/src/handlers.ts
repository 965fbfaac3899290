export { creatorAnalytics, creatorPost, creatorPostRead } from './operations/creator-post.js';
export { lineDispute, lineDisputes, opsDisputeDecide, opsDisputesList } from './operations/disputes.js';
export { lineIntegrity } from './operations/line-integrity.js';
export { metricsClockSet, metricsDue } from './operations/metrics-due.js';
export { opsLineGone, opsLineLook, opsLinePost, opsPostsList } from './operations/ops-posts.js';
export { opsLineReadings, opsReadingsImport } from './operations/ops-readings.js';
export { evidenceList, resultsList } from './operations/published.js';
export { sandboxLinePost, sandboxLinePostChange } from './operations/sandbox-line-post.js';
