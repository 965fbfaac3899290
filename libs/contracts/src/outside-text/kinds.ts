import { z } from 'zod';

/** What a string input is (docs/domain/requests.md#text): `text`, `line` and `name` are read by people, and cleaned. */
export type TextKind = 'text' | 'line' | 'name' | 'url' | 'email' | 'pattern' | 'listed' | 'token' | 'file';

/** The kind of every string input. Schemas made of another, by `describe` or a rule, keep its kind. */
export const textKinds = z.registry<{ kind: TextKind }>();
