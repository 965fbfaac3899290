import { startService } from '@cds/service/process';
import { readConfig } from './config.js';
import { gatewayModule } from './gateway.module.js';

const { shared, own } = readConfig();

await startService({
  service: 'gateway',
  config: shared,
  wire: (shell) => gatewayModule(shell, own),
});
