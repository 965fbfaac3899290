/** Where a creator's picture is served: our own origin, under a meaningless name (docs/reliability.md#handles). */
import { AVATARS_PATH } from '@cds/contracts';
import type { Creator } from '../domain/creator/creator.js';

export const avatarsAt = (appUrl: string): string => `${appUrl}${AVATARS_PATH}`;

export const avatarUrl = ({ avatar }: Pick<Creator, 'avatar'>, appUrl: string): string | null =>
  avatar == null ? null : `${avatarsAt(appUrl)}${avatar}`;
