import type { WriteHandler } from '@cds/service';
import { changeFaults, type FaultDeps } from '../change-faults.js';

export const sandboxFaultsClear: WriteHandler<'sandbox_faults_clear', FaultDeps> = (ctx, _input, deps) =>
  changeFaults(ctx, 'sandbox_faults_clear', deps, async ({ _id }) => ({
    armed: [],
    save: (tx) => deps.faults.clear(tx, _id),
  }));
