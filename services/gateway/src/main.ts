import { runService } from '@cds/service/process';
import { readConfig } from './config.js';
import { gatewayModule } from './gateway.module.js';

const { shared, own } = readConfig();

await runService({
  service: 'gateway',
  config: shared,
  wire: (shell) => gatewayModule(shell, own),
});
