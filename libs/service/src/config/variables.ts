import { z } from 'zod';

/** A variable of a process's environment; a process without a required one does not start. */
export type Variable = { name: string; required: boolean };

/** The variables that a schema reads. */
export const variablesOf = ({ shape }: z.ZodObject): readonly Variable[] =>
  Object.entries(shape).map(([name, field]) => ({ name, required: !z.safeParse(field, undefined).success }));
