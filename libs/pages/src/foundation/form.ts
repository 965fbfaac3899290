import type { PageRequest } from '../port.js';

/** A posted form. A missing field reads as empty. */
export type Form = { one: (name: string) => string; all: (name: string) => string[] };

export const formOf = (fields: URLSearchParams): Form => ({
  one: (name) => fields.get(name) ?? '',
  all: (name) => fields.getAll(name),
});

export const readForm = async (request: PageRequest): Promise<Form> => formOf(await request.fields());
