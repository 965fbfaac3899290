import type { RequestLog } from '@cds/contracts';
import type { UsageDay } from '../foundation/bar-chart.js';
import { need } from '../foundation/need.js';
import { page } from '../foundation/page.js';
import { sessionPage } from '../foundation/session.js';
import type { Route } from '../port.js';
import { usageFilter, usageModel } from './usage-model.js';

/** How many requests a page of the log reads; errors alone are picked from as many. */
const ROWS = 50;
const ROWS_FOR_ERRORS = 200;

/** Usage by day and the request log (docs/domain/requests.md#usage). */
export const usageRoutes: readonly Route[] = [
  {
    path: '/developers/usage',
    method: 'GET',
    target: sessionPage(async (visit) => {
      const filter = usageFilter(visit.request.query);
      const key = filter.keyId === '' ? {} : { key_id: filter.keyId };
      const cursor = filter.cursor === '' ? {} : { cursor: filter.cursor };
      const limit = String(filter.show === 'errors' ? ROWS_FOR_ERRORS : ROWS);
      const [byDay, log, keys] = await Promise.all([
        visit.call('keys_usage', { query: { ...key, days: String(filter.days) } }),
        visit.call('keys_usage', { query: { ...key, ...cursor, limit } }),
        visit.call('keys_list'),
      ]);
      // With `days` the answer is by day, without it the log (docs/domain/requests.md#usage).
      const usage = need(byDay) as { days: UsageDay[]; total: number; errors: number };
      return page('developers/usage', {
        ...visit.frame('Usage', '/developers/usage'),
        ...usageModel(filter, usage, need(log) as RequestLog, keys.ok ? keys.value.keys : null, visit.now),
      });
    }),
  },
];
