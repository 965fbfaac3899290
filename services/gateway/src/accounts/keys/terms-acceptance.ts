import { type AppError, conflict, type Output, type TermsAcceptance } from '@cds/contracts';
import type { Ctx } from '@cds/service';
import type { PeopleModule } from '../people/module.js';
import type { AcceptedBy } from './mandate-changes.js';
import type { AcceptanceRow } from './store/mandates.js';

export type Accepting = { people: Pick<PeopleModule, 'people'> };

export const acceptedBy = async (ctx: Ctx, { people }: Accepting): Promise<AcceptedBy> => {
  const person = await people.people.byId(ctx.principal.person?.id ?? '');
  if (person === null) throw new Error('terms were accepted without a person');
  return {
    person: person._id,
    email: person.email,
    address: ctx.client?.address ?? null,
    userAgent: ctx.client?.userAgent ?? null,
  };
};

/** The terms that an acceptance is compared with; null while none are published. */
export type CurrentTerms = Output<'terms_current'>['terms'];

export const superseded = (current: CurrentTerms): AppError =>
  conflict('terms_superseded', 'Another version of the brand terms is current. Read and accept that version.', {
    current_version: current?.version ?? null,
  });

export const approvalNotAllowed = (): AppError =>
  conflict(
    'approval_not_allowed',
    'This key may not sign, so it has no terms to accept. Set may_approve in its mandate first.',
  );

export const presentAcceptance = (row: AcceptanceRow): TermsAcceptance => ({
  key_id: row.own ? null : row.key_id,
  version: row.terms_version,
  person: row.person,
  email: row.email,
  accepted_at: row.at.toISOString(),
});
