import type { WriteHandler } from '@cds/service';
import { checkQuota, evenly, VISIT_STEP_MS } from '../../../edge/port.js';
import type { PeopleModule } from '../module.js';
import { fromOf } from '../new-session.js';
import { MAILBOX_QUOTA } from '../quotas.js';
import { signInMessage } from '../texts.js';

/**
 * Every address gets the same answer after the same statements: for an unknown one, the link opens nothing and is never
 * sent (docs/domain/sign-in.md#sign-in). Raises rate_limited.
 */
export const signIn: WriteHandler<'sign_in', { people: PeopleModule }> = evenly(
  VISIT_STEP_MS,
  async (ctx, { email }, { people }) => {
    checkQuota(await people.quotas.use(MAILBOX_QUOTA, email), MAILBOX_QUOTA);

    const person = await people.people.byEmail(email);
    const places = await people.members.ofPerson(person?._id ?? '');
    const token = await people.auth.linkFor(email, fromOf(ctx));

    const link = `${people.appUrl}/sign-in/${token}`;
    const blank = places.length === 0;
    await people.messages.add(signInMessage(email, link, { blank, at: ctx.networkNow }), ctx.networkNow);

    return { status: 'sent' };
  },
);
