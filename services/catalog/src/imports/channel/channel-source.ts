import type { ReadRow } from '../../domain/import/stated.js';

/** One creator as its channel returned it: a row for the importer, or null if nothing readable came back. */
export type ChannelAnswer = { network_id: string; row: ReadRow | null };

/** A social network that creator facts are read from (docs/domain/network.md#imports). */
export type ChannelSource = {
  /**
   * The newest facts of these creators, one answer each, with every post since a time. Raises when the channel cannot
   * be reached.
   */
  read(networkIds: readonly string[], since: Date): Promise<ChannelAnswer[]>;
};
