import type { ReadRow } from '../../domain/import/stated.js';

/** What a network told of one creator: its row for the importer, or null when it told nothing that can be read. */
export type ChannelAnswer = { network_id: string; row: ReadRow | null };

/** A social network that the facts of creators are read from (domain 1-network 12). */
export type ChannelSource = {
  /** The newest facts of these creators, one answer each, with every post since a time. Raises when it cannot be asked. */
  read(networkIds: readonly string[], since: Date): Promise<ChannelAnswer[]>;
};
