import { type BaseShell, counterOf, raiseAlarm } from '@cds/service';
import { wordsInIdentityForms } from '../domain/creator/identity-forms.js';
import type { RowFilter } from '../snapshot/memory.js';
import type { KnownHandles } from './known-handles.js';

const hits = counterOf('cds_handle_leaks_blocked_total');

/** A brand's own page names nobody: brand.example/app must not hide a creator called app. */
const BRAND_PAGES =
  /"(?:site|avatar_url)":"(?!(?:https?:\/\/)?(?:[\w-]+\.)*(?:x|twitter)\.com\b)(?![^"]*(?:[@\uFF20\uFE6B]|%40))[^"\\]*"/giu;

/** A mention or link of any known handle blocks a row or page, with an alarm (docs/reliability.md#handles, I43). */
export class HandleLeakFilter {
  constructor(
    private readonly handles: Pick<KnownHandles, 'has'>,
    private readonly log: Pick<BaseShell['log'], 'error'>,
    /** The prefix of our own pictures' addresses, whose words name nobody. */
    private readonly ours: string,
  ) {}

  /** Whether an encoding may be served. The alarm names the creator whose text it is, never the handle found. */
  passes(creatorId: string, encoded: string): boolean {
    const looked = encoded.replaceAll(this.ours, ' ').replace(BRAND_PAGES, ' ');
    if (!wordsInIdentityForms(looked).some((word) => this.handles.has(word))) return true;
    hits.add(1);
    raiseAlarm(
      this.log,
      'handle_leak',
      { creator_id: creatorId },
      'a creator’s text contains a handle and was blocked',
    );
    return false;
  }
}

export const rowFilter = (handles: Pick<KnownHandles, 'follow'>, leakFilter: HandleLeakFilter): RowFilter => ({
  follow: (version) => handles.follow(version),
  passes: (creatorId, encoded) => leakFilter.passes(creatorId, encoded),
});
