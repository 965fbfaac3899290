import { readConfig } from './config.js';
import { importFiles } from './import-files.js';
import { IMPORTS_ARGUMENT } from './imports/import-process.js';

const { shared, own } = readConfig();
if (process.argv[2] === IMPORTS_ARGUMENT) importFiles(shared, own);
else {
  // A process that only imports loads none of this.
  const [{ runService }, { catalogModule }] = await Promise.all([
    import('@cds/service/process'),
    import('./catalog.module.js'),
  ]);
  await runService({
    service: 'catalog',
    config: shared,
    wire: (shell, advanceClock) => catalogModule(shell, advanceClock, own),
  });
}
