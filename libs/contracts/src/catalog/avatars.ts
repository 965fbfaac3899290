import { z } from 'zod';
import { publicText } from '../fields.js';
import { defineOperations } from '../operation.js';
import { internalReads } from '../operation-kinds.js';

/** The path of pictures, under random names (docs/domain/network.md#pictures, docs/reliability.md#handles). */
export const AVATARS_PATH = '/avatars/';

/** Content type by file extension: the only ones that are fetched, stored or served. */
export const PICTURE_TYPES = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
} as const;

export type PictureEnding = keyof typeof PICTURE_TYPES;

/** A picture's name: 128 random bits and an extension, unrelated to the creator, its handle or the picture's source. */
export const AVATAR_NAME = /^[0-9a-f]{32}\.(?:png|jpg|webp|gif)$/;

export const avatarOperations = defineOperations('catalog', {
  avatar_read: {
    ...internalReads,
    callers: ['gateway'],
    summary: 'Returns the picture of a name, in base64; null if there is none.',
    body: z.object({ name: z.string() }),
    output: z.object({ data: publicText().nullable() }),
  },
});
