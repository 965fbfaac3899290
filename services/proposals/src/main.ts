import { startService } from '@cds/service/process';
import { readConfig } from './config.js';
import { proposalsModule } from './proposals.module.js';

const { shared } = readConfig();
await startService({ service: 'proposals', config: shared, wire: proposalsModule });
