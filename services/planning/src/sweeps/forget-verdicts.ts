import { type Client, INTERNAL_CALL_MS, type Sweep, systemContext } from '@cds/service';
import { VERDICT_DAYS } from '../domain/constants.js';
import type { SignedAt, SignVerdicts } from '../store/sign-verdicts.js';

type Deps = { verdicts: SignVerdicts; billing: Client<'signings_standing'> };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const AT_ONCE = 500;

/** All are kept while billing does not answer. Source: docs/reliability.md#signing (I56). */
export const forgetVerdicts = ({ verdicts, billing }: Deps): Sweep => ({
  name: 'old verdicts',
  everyMs: HOUR_MS,
  run: async (time, only) => {
    // Verdicts age by the network's time, so a sandbox clock makes none older.
    if (only !== null) return 0;
    const until = new Date(time.network.getTime() - VERDICT_DAYS * DAY_MS);
    let removed = 0;
    let after: SignedAt | null = null;
    for (;;) {
      const page: SignedAt[] = await verdicts.before(until, after, AT_ONCE);
      after = page.at(-1) ?? null;
      if (after === null) return removed;
      const ctx = systemContext({
        workspace: after.ws,
        sandbox: false,
        now: time.network,
        networkNow: time.network,
        limitMs: INTERNAL_CALL_MS,
      });
      const { standing } = await billing.signings_standing(ctx, {
        signings: page.map(({ _id, ws }) => ({ workspace: ws, signing_id: _id })),
      });
      const held = new Set(standing);
      removed += await verdicts.remove(page.filter(({ _id }) => !held.has(_id)));
    }
  },
});
