import { Encoded } from '@cds/service';
import { CANDIDATE_SYNC_DAYS, CANDIDATES_PAGE_BYTES, DAY_MS } from '../domain/constants.js';
import { isInAutomaticPlans } from '../domain/creator/bookable.js';
import { insideOf } from '../domain/geography/region-members.js';
import { regionsOf } from '../domain/geography/regions.js';
import type { Audience } from '../domain/matching/score.js';
import { presentCandidate } from '../present/candidate.js';
import type { NetworkMemory } from './memory.js';
import type { Network } from './network.js';
import type { AudienceView } from './scores.js';

export type CandidatesAsked = {
  segments: Audience;
  unresolved: boolean;
  audience: string | null;
  geography: string | null;
  page: string | null;
};

/**
 * A page names only the creator to continue after, so any replica serves the next (docs/reliability.md#catalog-memory).
 */
export class CandidatePages {
  constructor(
    private readonly memory: Pick<NetworkMemory, 'at'>,
    private readonly appUrl: string,
    private readonly pageBytes = CANDIDATES_PAGE_BYTES,
  ) {}

  page(networkNow: Date, asked: CandidatesAsked): Encoded {
    const rows: string[] = [];
    let bytes = 0;
    let next: string | null = null;
    let last = '';
    for (const { id, encoded } of candidatesOf(this.memory.at(networkNow), networkNow, asked, this.appUrl)) {
      const size = Buffer.byteLength(encoded) + 1;
      if (rows.length > 0 && bytes + size > this.pageBytes) {
        next = last;
        break;
      }
      rows.push(encoded);
      bytes += size;
      last = id;
    }
    const { segments, unresolved, geography, audience } = asked;
    const prefix = JSON.stringify({ segments, unresolved, regions: regionsOf(geography, audience), next });
    return new Encoded(`${prefix.slice(0, -1)},"candidates":[${rows.join(',')}]}`);
  }
}

const candidatesOf = function* (
  network: Network,
  networkNow: Date,
  { segments, audience, geography, page }: CandidatesAsked,
  appUrl: string,
): Generator<{ id: string; encoded: string }> {
  const oldest = networkNow.getTime() - CANDIDATE_SYNC_DAYS * DAY_MS;
  const context = { audience: segments, inside: insideOf(regionsOf(geography, audience)), appUrl };
  const view = segments.length === 0 ? null : network.scores.view(segments);
  for (const index of placesOf(network, view)) {
    const row = network.rows[index];
    if (row === undefined || (page !== null && row.creator._id <= page)) continue;
    const { creator } = row;
    if ((creator.synced_at?.getTime() ?? 0) >= oldest)
      yield {
        id: creator._id,
        encoded: JSON.stringify(presentCandidate(row, view?.scores[index] ?? null, context)),
      };
  }
};

const placesOf = (network: Network, view: AudienceView | null): Uint32Array =>
  network.cached(`candidates|${view?.key ?? ''}`, () => {
    const among: number[] = [];
    for (const [index, { creator }] of network.rows.entries())
      if (
        creator.expected_views !== null &&
        (view === null || view.reached[index] === 1) &&
        isInAutomaticPlans(creator, network.day)
      )
        among.push(index);
    return Uint32Array.from(among.sort((one, other) => (network.idAt(one) < network.idAt(other) ? -1 : 1)));
  });
