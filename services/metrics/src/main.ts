import { runService } from '@cds/service/process';
import { readConfig } from './config.js';
import { metricsModule } from './metrics.module.js';

const { shared } = readConfig();
await runService({ service: 'metrics', config: shared, wire: metricsModule });
