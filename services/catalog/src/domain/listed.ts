import { z } from 'zod';

/** Words in single spaces. */
const PHRASE = /^[^\s,]+( [^\s,]+)*$/;

export const listed = (form = PHRASE) =>
  z
    .string()
    .transform((text) => text.split(', '))
    .pipe(z.array(z.string().regex(form)));
