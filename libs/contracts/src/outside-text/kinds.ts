import { z } from 'zod';

/**
 * What a string input is (docs/domain/requests.md#text). People read `text` (paragraphs), `line` and `name`; they are
 * cleaned or refused. The other kinds are compared, parsed or opened, and stay as they were sent or are refused.
 */
export type TextKind = 'text' | 'line' | 'name' | 'url' | 'email' | 'pattern' | 'listed' | 'token' | 'file';

/** The kind of every string input. Schemas made of another, by `describe` or a rule, keep its kind. */
export const textKinds = z.registry<{ kind: TextKind }>();
