import type { ReadHandler } from '@cds/service';
import type { Avatars } from '../store/avatars.js';

/** A creator's picture by its random name, for the door that serves it; null for a name of none. Source: domain 1-network 15. */
export const avatarRead: ReadHandler<'avatar_read', { avatars: Pick<Avatars, 'read'> }> = async (
  _ctx,
  input,
  { avatars },
) => {
  const bytes = await avatars.read(input.name);

  return { data: bytes?.toString('base64') ?? null };
};
