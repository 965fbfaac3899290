import { type AppError, type BrandRole, conflict, notFound } from '@cds/contracts';

type Member = { _id: string; role: BrandRole; joined_at: Date | null };

/** Only owners who joined count: an invited one may never come (docs/domain/sign-in.md#members). */
const isLastOwner = (member: Member, all: readonly Member[]): boolean =>
  member.role === 'owner' &&
  !all.some((other) => other._id !== member._id && other.role === 'owner' && other.joined_at !== null);

export const lastOwner = (): AppError =>
  conflict('last_owner', 'A brand always has an owner who can sign in. Make somebody else an owner first.');

/** The member to change or remove. Raises not_found, conflict (last_owner) when the brand would lose its last owner. */
export const memberToChange = <M extends Member>(all: readonly M[], id: string, next: BrandRole | null): M => {
  const member = all.find((one) => one._id === id.toLowerCase());
  if (member === undefined) throw notFound('member');
  if (next !== 'owner' && isLastOwner(member, all)) throw lastOwner();
  return member;
};
