import { AppError } from '@cds/contracts';
import { change, type WriteHandler } from '@cds/service';
import type { NetworkLoader } from '../imports/loader.js';

/** Answers after 15 s with the progress so far while the load continues. Raises forbidden in production. */
export const devNetworkLoad: WriteHandler<
  'dev_network_load',
  { loader: NetworkLoader; generatorAllowed: boolean }
> = async (ctx, input, { loader, generatorAllowed }) => {
  if (!generatorAllowed) throw new AppError('forbidden', 'The generated network cannot be loaded in production.');

  const loaded = await loader.load({ creators: input.creators, seed: input.seed }, ctx.networkNow);

  const { creators, newest } = await loader.loaded();
  return change(
    { creators, newest_synced_at: newest?.toISOString() ?? null, loaded },
    // The importer has committed its batches; only the command's record is left to store.
    { save: async () => undefined },
  );
};
