import type { WriteHandler } from '@cds/service';
import { checkQuota, evenly, VISIT_STEP_MS } from '../../../edge/port.js';
import type { PeopleModule } from '../../people/module.js';
import { fromOf } from '../../people/new-session.js';
import { MAILBOX_QUOTA } from '../../people/quotas.js';
import { signInMessage } from '../../people/texts.js';

/**
 * Every address gets the same answer after the same statements (docs/domain/operators.md#operators). Raises
 * rate_limited.
 */
export const opsSignIn: WriteHandler<'ops_sign_in', { people: PeopleModule }> = evenly(
  VISIT_STEP_MS,
  async (ctx, { email }, { people }) => {
    checkQuota(await people.quotas.use(MAILBOX_QUOTA, `ops ${email}`), MAILBOX_QUOTA);

    const person = await people.operators.people.byEmail(email);
    const token = await people.operators.auth.linkFor(email, fromOf(ctx));

    const link = `${people.appUrl}/ops/sign-in/${token}`;
    const blank = person === null || person.removed_at !== null;
    const message = signInMessage(email, link, { blank, at: ctx.networkNow, kind: 'ops_sign_in' });
    await people.messages.add(message, ctx.networkNow);

    return { status: 'sent' };
  },
);
