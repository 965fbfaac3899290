import type { WriteHandler } from '@cds/service';
import { type SuspendDeps, suspendBrand } from '../suspend-brand.js';

/** Suspends an approved brand; its paid orders continue (docs/domain/access.md#workspaces). */
export const opsBrandSuspend: WriteHandler<'ops_brand_suspend', SuspendDeps> = (ctx, input, deps) =>
  suspendBrand(ctx, input, 'suspend', deps);
