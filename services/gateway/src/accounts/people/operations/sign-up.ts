import { randomUUID } from 'node:crypto';
import { change, commitChange, isDuplicate, LostRace, type WriteHandler, type WriteShell } from '@cds/service';
import { checkQuota, evenly, rateLimitAddressOf, VISIT_STEP_MS } from '../../../edge/port.js';
import { newBrand } from '../../brands/store/workspaces.js';
import type { PeopleModule } from '../module.js';
import { SIGN_UP_QUOTA } from '../quotas.js';
import { LINK_MS } from '../store/sign-in-links.js';
import { knownAddress, signedUp } from '../texts.js';

/**
 * A known address gets a message alone, by the same answer and work (docs/domain/sign-in.md#sign-up). Raises
 * rate_limited.
 */
export const signUp: WriteHandler<'sign_up', { shell: WriteShell; people: PeopleModule }> = evenly(
  VISIT_STEP_MS,
  async (ctx, { company, website, name, email }, { shell, people }) => {
    const { workspaces, messages } = people;
    const at = ctx.networkNow;
    checkQuota(await people.quotas.use(SIGN_UP_QUOTA, rateLimitAddressOf(ctx.client?.address ?? '')), SIGN_UP_QUOTA);

    const decide = async () => {
      const id = randomUUID();
      const [joined, pending, namesake] = await Promise.all([
        worksHere(people, email),
        workspaces.pendingOf(email),
        workspaces.brandNamed(company),
      ]);
      // Two companies may have one name; the team sees which is which.
      const called = namesake === null ? company : `${company} (${id.slice(0, 8)})`;
      const brand = newBrand(id, { name: called, status: 'pending', website, applicant: { name, email } }, at);

      const known = joined || pending !== null;
      const receipt = joined ? knownAddress(people.appUrl, email) : signedUp(email);
      return change(null, {
        save: async (tx) => {
          await messages.queue(tx, receipt, at);
          // A known address takes the same two inserts.
          if (known)
            await messages.queue(tx, { ...receipt, blank: true, dropAt: new Date(at.getTime() + LINK_MS) }, at);
          else await insertOnce(() => workspaces.insertBrand(tx, brand));
        },
        audit: [
          { ws: '', actor: 'system', action: 'brand.signed_up', object: id, payload: { company, website, known } },
        ],
      });
    };
    await commitChange(shell, ctx, 'sign_up', 202, decide, false);

    return { status: 'pending' };
  },
);

/** Who was only invited, or was removed, may sign up. Takes three statements for every address. */
const worksHere = async ({ people, members, workspaces }: PeopleModule, email: string): Promise<boolean> => {
  const person = await people.byEmail(email);
  const places = await members.ofPerson(person?._id ?? '');
  const joined = places.filter(({ joined_at }) => joined_at !== null);
  return workspaces.hasOpen(joined.map(({ brand_id }) => brand_id));
};

/** The same address or name may sign up at the same time; deciding again finds it. */
const insertOnce = async (insert: () => Promise<void>): Promise<void> => {
  try {
    await insert();
  } catch (error) {
    throw isDuplicate(error) ? new LostRace('brand') : error;
  }
};
