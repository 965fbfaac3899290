import { runService } from '@cds/service/process';
import { readConfig } from './config.js';
import { planningModule } from './planning.module.js';

const { shared } = readConfig();
await runService({ service: 'planning', config: shared, wire: planningModule });
