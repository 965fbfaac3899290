import type { BrandStatus } from '@cds/contracts';

export type BrandMove = 'approve' | 'decline' | 'suspend' | 'reinstate';

const MOVES: Readonly<Record<BrandMove, { from: BrandStatus; to: BrandStatus }>> = {
  approve: { from: 'pending', to: 'approved' },
  decline: { from: 'pending', to: 'declined' },
  suspend: { from: 'approved', to: 'suspended' },
  reinstate: { from: 'suspended', to: 'approved' },
};

export const brandMoved = (status: BrandStatus, move: BrandMove): { to: BrandStatus } | { needs: BrandStatus } => {
  const { from, to } = MOVES[move];
  return status === from ? { to } : { needs: from };
};
