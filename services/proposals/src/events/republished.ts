import { type Republished, republishedFrom } from '@cds/service';
import { lineChanged } from '../present/line-changed.js';
import type { Offers } from '../store/offers.js';

/** Every line with its newest proposal; a line without one was never published. */
export const republished = (offers: Offers): Republished[] => [
  republishedFrom('line.changed', offers.lines, async (lines) => (await offers.chainsOf(lines)).map(lineChanged)),
];
