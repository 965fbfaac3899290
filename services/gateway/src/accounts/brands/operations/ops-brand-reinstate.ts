import type { WriteHandler } from '@cds/service';
import { type SuspendDeps, suspendBrand } from '../suspend-brand.js';

export const opsBrandReinstate: WriteHandler<'ops_brand_reinstate', SuspendDeps> = (ctx, input, deps) =>
  suspendBrand(ctx, input, 'reinstate', deps);
