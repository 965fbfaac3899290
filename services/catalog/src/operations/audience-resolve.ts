import type { ReadHandler } from '@cds/service';
import { resolveAudience } from '../domain/audience/segments.js';

export const audienceResolve: ReadHandler<'audience_resolve', object> = async (_ctx, input) =>
  resolveAudience(input.text);
