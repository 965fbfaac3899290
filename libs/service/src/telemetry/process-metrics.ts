import { performance } from 'node:perf_hooks';
import { API_VERSION } from '@cds/contracts';
import { readingOf } from './metrics.js';

export const showProcess = (): void => {
  readingOf('cds_build_info', () => [{ value: 1, labels: { version: API_VERSION, node: process.versions.node } }]);
  readingOf('cds_process_cpu_seconds_total', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  readingOf('cds_process_memory_bytes', () => process.memoryUsage.rss());
  readingOf('cds_event_loop_busy_seconds_total', () => performance.eventLoopUtilization().active / 1e3);
};
