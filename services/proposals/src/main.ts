import { runService } from '@cds/service/process';
import { readConfig } from './config.js';
import { proposalsModule } from './proposals.module.js';

const { shared, own } = readConfig();
await runService({
  service: 'proposals',
  config: shared,
  wire: (shell, advanceClock) => proposalsModule(shell, advanceClock, own),
});
