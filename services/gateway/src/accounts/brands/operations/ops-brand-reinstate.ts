import type { WriteHandler } from '@cds/service';
import { type SuspendDeps, suspendBrand } from '../suspend-brand.js';

/** Ends the suspension of a brand. Raises not_found, conflict (bad_state). Source: docs/domain/access.md#workspaces. */
export const opsBrandReinstate: WriteHandler<'ops_brand_reinstate', SuspendDeps> = (ctx, input, deps) =>
  suspendBrand(ctx, input, 'reinstate', deps);
