import type { ReadHandler } from '@cds/service';
import type { NetworkLoader } from '../imports/loader.js';

export const devNetwork: ReadHandler<'dev_network', { loader: NetworkLoader }> = async (_ctx, _input, { loader }) => {
  const { creators, newest } = await loader.loaded();
  return { creators, newest_synced_at: newest?.toISOString() ?? null };
};
