import { type BaseShell, counterOf } from '@cds/service';
import { wordsInIdentityForms } from '../domain/creator/identity-forms.js';
import type { RowFilter } from '../snapshot/memory.js';
import type { KnownHandles } from './known-handles.js';

const hits = counterOf(
  'cds_handle_leaks_blocked',
  'Rows and creator pages kept out because they held a handle or a link.',
);

/**
 * A brand's own page and picture, in the operator's words: their paths name nobody, so that a launch of brand.example/app
 * hides no creator for somebody called app. Those on the network itself, and any mention, are looked at all the same.
 */
const BRAND_PAGES =
  /"(?:site|avatar_url)":"(?!(?:https?:\/\/)?(?:[\w-]+\.)*(?:x|twitter)\.com\b)(?![^"]*(?:[@\uFF20\uFE6B]|%40))[^"\\]*"/giu;

/**
 * The last look before a row or a creator page leaves: a mention or a link of any known handle in its bytes keeps it out
 * and raises an alarm. It runs once per encoding (reliability 3.9, I43).
 */
export class HandleLeakFilter {
  constructor(
    private readonly handles: Pick<KnownHandles, 'has'>,
    private readonly log: Pick<BaseShell['log'], 'error'>,
    /** The front of our own pictures' addresses, whose words name nobody. */
    private readonly ours: string,
  ) {}

  /** Whether an encoding may leave; the alarm names the creator whose text it is, never the handle found. */
  passes(creatorId: string, encoded: string): boolean {
    const looked = encoded.replaceAll(this.ours, ' ').replace(BRAND_PAGES, ' ');
    if (!wordsInIdentityForms(looked).some((word) => this.handles.has(word))) return true;
    hits.add(1);
    this.log.error({ alarm: 'handle_leak', creator_id: creatorId }, 'a creator’s text holds a handle and was kept out');
    return false;
  }
}

/** The leakFilter as the network in memory uses it: identities are taken in before the rows of their version are encoded. */
export const rowFilter = (handles: Pick<KnownHandles, 'follow'>, leakFilter: HandleLeakFilter): RowFilter => ({
  follow: (version) => handles.follow(version),
  passes: (creatorId, encoded) => leakFilter.passes(creatorId, encoded),
});
