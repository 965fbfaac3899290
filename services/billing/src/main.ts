import { runService } from '@cds/service/process';
import { billingModule } from './billing.module.js';
import { readConfig } from './config.js';

const { shared, own } = readConfig();
await runService({
  service: 'billing',
  config: shared,
  wire: (shell, advanceClock) => billingModule(shell, advanceClock, own),
});
