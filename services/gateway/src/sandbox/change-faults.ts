import { notFound, type Output } from '@cds/contracts';
import { type Ctx, change, RecordedOutcome, runWrite, type Tx, type WriteShell } from '@cds/service';
import { type KeyChanges, nextState, type WorkspaceRow, type Workspaces } from '../accounts/port.js';
import type { FaultRow, Faults } from './store/faults.js';

export type FaultDeps = { shell: WriteShell; faults: Faults; workspaces: Workspaces; keyChanges: KeyChanges };

export type FaultDecision = { armed: readonly FaultRow[]; save: (tx: Tx) => Promise<void> };

/**
 * Changes the faults of a sandbox. Its keys then say whether any is armed, so that no request of another workspace
 * looks for one; they say so before the answer.
 */
export const changeFaults = async (
  ctx: Ctx,
  operation: 'sandbox_fault_arm' | 'sandbox_faults_clear',
  { shell, workspaces, keyChanges }: Omit<FaultDeps, 'faults'>,
  decide: (workspace: WorkspaceRow) => Promise<FaultDecision>,
): Promise<RecordedOutcome> => {
  const ws = ctx.principal.workspace;
  const outcome = await runWrite(shell, ctx, operation, 200, async () => {
    const workspace = await workspaces.byId(ws);
    if (workspace === null) throw notFound('workspace');
    const { armed, save } = await decide(workspace);
    const state = nextState(workspace, { faults: armed.length > 0 });

    return change(presentFaults(armed), {
      save: async (tx) => {
        await workspaces.setSandboxState(tx, workspace, state);
        await save(tx);
        await keyChanges.add(tx, [{ kind: 'sandbox', ws, state }], ctx.networkNow);
      },
    });
  });

  if (outcome.ok) await keyChanges.apply(await keyChanges.pending(ws, []));
  return new RecordedOutcome(outcome);
};

export const presentFaults = (armed: readonly FaultRow[]): Output<'sandbox_faults'> => ({
  items: armed.map(({ _id, operation, status, code, reason, delay_ms, left }) => ({
    id: _id,
    operation,
    status,
    code,
    reason,
    delay_ms,
    times_left: left,
  })),
});
