import type { AudienceWeights } from '@cds/contracts';
import type { Client, Ctx } from '@cds/service';

/** Without a text it is unresolved, and catalog is not asked. */
export const audienceOf = async (
  ctx: Ctx,
  catalog: Client<'audience_resolve'>,
  text: string | null,
): Promise<{ segments: AudienceWeights; unresolved: boolean }> => {
  if (text === null) return { segments: [], unresolved: true };
  const { segments, unresolved } = await catalog.audience_resolve(ctx, { text });
  return { segments, unresolved };
};
