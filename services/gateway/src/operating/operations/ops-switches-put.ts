import { actorOf, change, RecordedOutcome, runWrite, type WriteHandler, type WriteShell } from '@cds/service';
import { presentSwitches, type SwitchBoard, type SwitchRow } from '../store/switches.js';

/** The answer, a replayed one too, waits until every gateway uses them (docs/domain/operators.md#switches). */
export const opsSwitchesPut: WriteHandler<'ops_switches_put', { shell: WriteShell; switches: SwitchBoard }> = async (
  ctx,
  { reason, ...input },
  { shell, switches },
) => {
  const wanted = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const by = ctx.principal.operator?.name ?? 'system';

  const outcome = await runWrite(shell, ctx, 'ops_switches_put', 200, async () => {
    const before = await switches.stored();
    const extended = { ...before?.deprecated_until, ...input.deprecated_until };
    const after: SwitchRow = {
      ...before,
      ...wanted,
      // Null takes an extension back.
      deprecated_until: Object.fromEntries(Object.entries(extended).filter(([, day]) => day != null)),
      _id: 'switches',
      version: (before?.version ?? 0) + 1,
      changed_at: ctx.networkNow,
      changed_by: by,
    };
    return change(presentSwitches(after), {
      save: (tx) => switches.set(tx, before, after),
      audit: [
        { ws: '', actor: actorOf(ctx), action: 'switches.set', object: 'switches', reason, payload: { set: wanted } },
      ],
    });
  });

  await switches.everywhere();
  return new RecordedOutcome(outcome);
};
