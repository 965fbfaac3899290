import { startService } from '@cds/service/process';
import { billingModule } from './billing.module.js';
import { readConfig } from './config.js';

const { shared, own } = readConfig();
await startService({
  service: 'billing',
  config: shared,
  wire: (shell, advanceClock) => billingModule(shell, advanceClock, own),
});
