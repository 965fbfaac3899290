import type { ReadHandler } from '@cds/service';
import type { Avatars } from '../store/avatars.js';

/** Null for an unknown name. Source: docs/domain/network.md#pictures. */
export const avatarRead: ReadHandler<'avatar_read', { avatars: Pick<Avatars, 'read'> }> = async (
  _ctx,
  input,
  { avatars },
) => {
  const bytes = await avatars.read(input.name);

  return { data: bytes?.toString('base64') ?? null };
};
