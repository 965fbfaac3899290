type Person = { created_at: Date; removed_at: Date | null; back_at?: Date };

/** Whoever was removed and taken back has nothing that was made before (docs/domain/access.md#rights). */
export const isSince = ({ removed_at, back_at, created_at }: Person, at: Date): boolean =>
  removed_at === null && at >= (back_at ?? created_at);
