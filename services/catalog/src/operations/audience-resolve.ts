import type { ReadHandler } from '@cds/service';
import { resolveAudience } from '../domain/audience/segments.js';

/** The segments a text names, with weights that sum to 1. Source: docs/domain/network.md#audience-text. */
export const audienceResolve: ReadHandler<'audience_resolve', object> = async (_ctx, input) =>
  resolveAudience(input.text);
