import type { HistoryLine, PlanHistory } from '@cds/contracts';
import type { PlanVersion, VersionLine } from '../domain/edits/plan-version.js';
import { channelLabel } from './quote-part.js';

/** Which operator acted stays with the team. `shown` is a line as it may be shown now. */
export const planHistory = (
  versions: readonly PlanVersion[],
  shown: (line: VersionLine) => VersionLine,
): PlanHistory => ({
  versions: versions.map(({ version, at, actor, action, total_cents, terms_fingerprint, changes }) => ({
    version,
    at: at.toISOString(),
    actor: actor.startsWith('operator:') ? 'team' : actor,
    action,
    total_cents,
    terms_fingerprint,
    changes: changes.map((one) => ({ ...one, before: lineOf(one.before, shown), after: lineOf(one.after, shown) })),
  })),
});

const lineOf = (line: VersionLine | null, shown: (line: VersionLine) => VersionLine): HistoryLine | null =>
  line === null ? null : { ...shown(line), channel_label: channelLabel(line.channel) };
