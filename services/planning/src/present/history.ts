import type { HistoryLine, PlanHistory } from '@cds/contracts';
import type { PlanVersion, VersionLine } from '../domain/edits/plan-version.js';
import { channelLabel } from './quote-part.js';

/** Which operator acted stays with the team. */
export const planHistory = (versions: readonly PlanVersion[]): PlanHistory => ({
  versions: versions.map(({ version, at, actor, action, total_cents, terms_fingerprint, changes }) => ({
    version,
    at: at.toISOString(),
    actor: actor.startsWith('operator:') ? 'team' : actor,
    action,
    total_cents,
    terms_fingerprint,
    changes: changes.map((one) => ({ ...one, before: lineOf(one.before), after: lineOf(one.after) })),
  })),
});

const lineOf = (line: VersionLine | null): HistoryLine | null =>
  line === null ? null : { ...line, channel_label: channelLabel(line.channel) };
