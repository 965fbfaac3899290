import { Encoded } from '@cds/service';
import { isInAutomaticPlans } from '../domain/bookable.js';
import { CANDIDATE_SYNC_DAYS, CANDIDATES_PAGE_BYTES, DAY_MS } from '../domain/constants.js';
import { insideOf } from '../domain/region-members.js';
import { regionsOf } from '../domain/regions.js';
import type { Audience } from '../domain/score.js';
import { presentCandidate } from '../present/candidate.js';
import type { NetworkMemory } from './memory.js';
import type { Network } from './network.js';

/** Who is asked for: an audience, the regions of a campaign, and the page after an earlier one; null for the first. */
export type CandidatesAsked = {
  segments: Audience;
  unresolved: boolean;
  audience: string | null;
  geography: string | null;
  page: string | null;
};

/** How long an edition is kept after a page of it was last read, in milliseconds: it holds a whole network in memory. */
const KEPT_MS = 60_000;

/** Editions that are kept for those who are still reading their pages; the oldest goes first. */
const EDITIONS_KEPT = 2;

/**
 * The candidates of a plan in pages that a message holds, all of one edition of the network: its version on one day. An
 * edition of several pages is kept in memory, so that a network that moves on meanwhile tears no set. Where the edition
 * is gone, as on another replica, the answer begins anew with the first page and says so by its edition. Source:
 * reliability 3.14.
 */
export class CandidatePages {
  private readonly kept = new Map<string, { network: Network; ends: NodeJS.Timeout }>();

  constructor(
    private readonly memory: Pick<NetworkMemory, 'at'>,
    private readonly appUrl: string,
    private readonly pageBytes = CANDIDATES_PAGE_BYTES,
  ) {}

  /** The page that was asked for, encoded; raises unavailable before the first load of the network. */
  page(networkNow: Date, asked: CandidatesAsked): Encoded {
    const current = this.memory.at(networkNow);
    const [wanted = editionOf(current), from = ''] = asked.page?.split('/') ?? [];
    const held = this.kept.get(wanted);
    held?.ends.refresh();
    const network = held?.network ?? current;
    const edition = editionOf(network);
    const rows: string[] = [];
    let bytes = 0;
    let next: string | null = null;
    let last = '';
    for (const { id, encoded } of candidatesOf(
      network,
      networkNow,
      asked,
      this.appUrl,
      wanted === edition ? from : '',
    )) {
      const size = Buffer.byteLength(encoded) + 1;
      if (rows.length > 0 && bytes + size > this.pageBytes) {
        next = `${edition}/${last}`;
        break;
      }
      rows.push(encoded);
      bytes += size;
      last = id;
    }
    if (next !== null) this.keep(edition, network);
    const { segments, unresolved } = asked;
    const front = JSON.stringify({ segments, unresolved, edition, next });
    return new Encoded(`${front.slice(0, -1)},"candidates":[${rows.join(',')}]}`);
  }

  private keep(edition: string, network: Network): void {
    if (this.kept.has(edition)) return;
    this.kept.set(edition, { network, ends: setTimeout(() => this.kept.delete(edition), KEPT_MS).unref() });
    const oldest = this.kept.entries().next();
    if (this.kept.size <= EDITIONS_KEPT || oldest.done === true) return;
    const [former, { ends }] = oldest.value;
    clearTimeout(ends);
    this.kept.delete(former);
  }
}

const editionOf = ({ version, day }: Network): string => `${version}.${day}`;

/** The candidates behind an id, by id. */
const candidatesOf = function* (
  network: Network,
  networkNow: Date,
  { segments, audience, geography }: CandidatesAsked,
  appUrl: string,
  after: string,
): Generator<{ id: string; encoded: string }> {
  const oldest = networkNow.getTime() - CANDIDATE_SYNC_DAYS * DAY_MS;
  const telling = { audience: segments, inside: insideOf(regionsOf(geography, audience)), appUrl };
  const view = segments.length === 0 ? null : network.view(segments);
  for (const index of network.byId()) {
    const row = network.rows[index];
    if (row === undefined || row.creator._id <= after) continue;
    const { creator } = row;
    const isCandidate =
      isInAutomaticPlans(creator, network.day) &&
      creator.expected_views !== null &&
      (creator.synced_at?.getTime() ?? 0) >= oldest &&
      (view === null || view.reached[index] === 1);
    if (isCandidate)
      yield {
        id: creator._id,
        encoded: JSON.stringify(presentCandidate(row, view?.scores[index] ?? null, telling)),
      };
  }
};
