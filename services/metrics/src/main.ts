import { startService } from '@cds/service/process';
import { readConfig } from './config.js';
import { metricsModule } from './metrics.module.js';

const { shared } = readConfig();
await startService({ service: 'metrics', config: shared, wire: metricsModule });
