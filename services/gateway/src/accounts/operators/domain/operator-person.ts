/** A person of the operator's team, as the rules see one. */
type Person = { created_at: Date; removed_at: Date | null; back_at?: Date };

/**
 * Whether a person is one of the team and was at this time: what was made for somebody who was removed stays ended when
 * they are taken back (docs/domain/access.md#rights).
 */
export const isSince = ({ removed_at, back_at, created_at }: Person, at: Date): boolean =>
  removed_at === null && at >= (back_at ?? created_at);
