import type { ReadHandler } from '@cds/service';
import { presentFaults } from '../change-faults.js';
import type { Faults } from '../store/faults.js';

export const sandboxFaults: ReadHandler<'sandbox_faults', { faults: Pick<Faults, 'armed'> }> = async (
  ctx,
  _input,
  { faults },
) => presentFaults(await faults.armed(ctx.principal.workspace));
