import type { Exchange } from '../../edge/http/exchange.js';
import { readFields } from '../../edge/http/form-fields.js';

/** A posted form. A missing field reads as empty. */
export type Form = { one: (name: string) => string; all: (name: string) => string[] };

export const formOf = (fields: URLSearchParams): Form => ({
  one: (name) => fields.get(name) ?? '',
  all: (name) => fields.getAll(name),
});

/** Reads a posted form. */
export const readForm = async (exchange: Exchange): Promise<Form> => formOf(await readFields(exchange));
