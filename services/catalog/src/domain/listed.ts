import { z } from 'zod';

/** Words in single spaces. */
const PHRASE = /^[^\s,]+( [^\s,]+)*$/;

/** A list in a file of data: texts with a comma between them, each in this form. */
export const listed = (form = PHRASE) =>
  z
    .string()
    .transform((text) => text.split(', '))
    .pipe(z.array(z.string().regex(form)));
