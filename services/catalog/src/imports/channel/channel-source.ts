import type { ReadRow } from '../../domain/import/stated.js';

export type ChannelAnswer = { network_id: string; row: ReadRow | null };

export type ChannelSource = {
  /** Raises when the channel cannot be reached. */
  read(networkIds: readonly string[], since: Date): Promise<ChannelAnswer[]>;
};
