import type { MandateTried } from '@cds/contracts';
import { ago, day, dollars, moment, plural } from '../foundation/format.js';

const REASON_WORDS: Readonly<Record<string, string>> = {
  no_mandate: 'there is no mandate',
  mandate_expired: 'the mandate has expired',
  channel_not_allowed: 'the channel is not allowed',
  approval_not_allowed: 'the key may not sign',
  terms_not_accepted: 'the terms are not accepted',
  over_max_plan_total: 'the plan is above its limit',
  over_monthly_cap: 'the month is above its limit',
  over_budget: 'the plan is above its budget',
};

const reasonWords = (reason: string | null): string =>
  reason === null ? 'allowed' : (REASON_WORDS[reason] ?? reason.replaceAll('_', ' '));

const SHOWN_ROWS = 20;

export const triedModel = (tried: MandateTried, now: Date) => {
  const freed = tried.changed.filter(({ would }) => would === null).length;
  return {
    kind: tried.refused.length === 0 ? 'good' : 'warn',
    title:
      tried.tried === 0
        ? 'This key has written nothing in the last 30 days'
        : tried.refused.length === 0
          ? 'It would have refused nothing'
          : `It would have refused ${plural(tried.refused.length, 'write')}`,
    text:
      tried.tried === 0
        ? 'The draft cannot be compared with anything yet.'
        : `Compared with ${plural(tried.tried, 'write')} since ${day(tried.from)}. ${plural(tried.changed.length, 'answer')} would have been different, and ${plural(freed, 'refusal')} would have been allowed. Nothing is changed yet.`,
    rows: tried.refused.slice(0, SHOWN_ROWS).map((row) => ({
      ago: ago(row.at, now),
      moment: moment(row.at),
      operation: row.operation.replaceAll('_', ' '),
      reason: reasonWords(row.reason),
      over: typeof row.details['over_by_cents'] === 'number' ? `over by ${dollars(row.details['over_by_cents'])}` : '',
      requestId: row.request_id,
    })),
    more: Math.max(0, tried.refused.length - SHOWN_ROWS),
  };
};
