import { AppError } from '@cds/contracts';
import { makeLogger, openStore, type SharedConfig } from '@cds/service';
import type { CatalogConfig } from './config.js';
import { DepartedNames } from './identity/departed.js';
import { Identities } from './identity/identities.js';
import { ImportTransaction } from './identity/import-transaction.js';
import { PostEvidenceRows } from './identity/post-evidence.js';
import { Uploads } from './identity/uploads.js';
import { importsHere } from './imports/file-imports.js';
import type { Asked, Notice } from './imports/import-process.js';
import { Importer } from './imports/importer.js';
import { KnownCreators } from './imports/known-creators.js';
import { Creators } from './store/creators.js';
import { Launches } from './store/launches.js';

export const importFiles = (shared: SharedConfig, config: CatalogConfig): void => {
  process.once('disconnect', () => process.exit(0));
  const notify = (notice: Notice): void => void process.send?.(notice);

  const log = makeLogger('catalog', shared.logLevel);
  const opened = Promise.all([
    openStore(shared, shared.store, log),
    openStore(shared, { uri: config.CDS_IDENTITY_MONGODB_URI, db: config.CDS_IDENTITY_DB }, log),
  ]).then(([store, identity]) => {
    const known = new KnownCreators(
      new Creators(store),
      new Identities(identity),
      new PostEvidenceRows(identity),
      new DepartedNames(identity),
    );
    const importer = new Importer(known, new ImportTransaction(identity, shared.store.db), new Launches(store));
    return importsHere(importer, new Uploads(identity));
  });
  opened.catch((err: unknown) => {
    // Nothing can be imported here any more; the next import starts another process.
    log.error({ err }, 'the process for imports could not open its databases');
    process.exit(1);
  });

  process.on('message', async ({ import: id, file, wanted }: Asked) => {
    try {
      const imports = await opened;
      const done = await imports.run(file, wanted, async (report) => notify({ import: id, so_far: report }));
      notify({ import: id, done });
    } catch (error) {
      if (error instanceof AppError) notify({ import: id, refused: error.body() });
      else {
        const { message, stack } = error instanceof Error ? error : new Error(String(error));
        notify({ import: id, failed: { message, stack } });
      }
    }
  });
};
