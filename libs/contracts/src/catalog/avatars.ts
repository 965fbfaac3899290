/** Pictures of creators, served by our own origin under random names (domain 1-network 15; reliability 3.9). */

/** Where pictures stand below the application's host. */
export const AVATARS_PATH = '/avatars/';

/** Content type by the ending of a picture's name: all that is ever fetched, kept or served. */
export const PICTURE_TYPES = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
} as const;
export type PictureEnding = keyof typeof PICTURE_TYPES;

/** A picture's name: 128 random bits and its ending, and nothing of the creator, its handle or where it came from. */
export const AVATAR_NAME = /^[0-9a-f]{32}\.(?:png|jpg|webp|gif)$/;
