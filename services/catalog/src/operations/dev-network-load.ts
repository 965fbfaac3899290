import { AppError } from '@cds/contracts';
import { change, type WriteHandler } from '@cds/service';
import type { NetworkLoader } from '../imports/loader.js';

/**
 * Loads or refreshes the generated network by the importer's path. Answers when it is through, or after 15 s with the
 * creators loaded so far; the load goes on. Raises forbidden in production. Source: domain 1-network 14.
 */
export const devNetworkLoad: WriteHandler<
  'dev_network_load',
  { loader: NetworkLoader; generatorAllowed: boolean }
> = async (ctx, input, { loader, generatorAllowed }) => {
  if (!generatorAllowed) throw new AppError('forbidden', 'A generated network is loaded into development starts only.');

  const loaded = await loader.load({ creators: input.creators, seed: input.seed }, ctx.networkNow);

  const { creators, newest } = await loader.loaded();
  return change(
    { creators, newest_synced_at: newest?.toISOString() ?? null, loaded },
    // The importer has committed its batches; the command's record is all that is left to keep.
    { save: async () => undefined },
  );
};
