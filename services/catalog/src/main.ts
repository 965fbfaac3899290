import { runService } from '@cds/service/process';
import { catalogModule } from './catalog.module.js';
import { readConfig } from './config.js';

const { shared, own } = readConfig();
await runService({
  service: 'catalog',
  config: shared,
  wire: (shell, advanceClock) => catalogModule(shell, advanceClock, own),
});
