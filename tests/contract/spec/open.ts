import type { ServedId } from './requirements.js';

/** Sentences that are served but not yet cited by a test. The list only shrinks: whoever cites one removes it. */
export const OPEN: readonly ServedId[] = [];
