/** One guard removed from the real code, as an edit of its source that only this test applies. */
export type Mutant = {
  name: string;
  /** Where its search begins: a schedule shortly before one that sees it. */
  seed: number;
  /** The removed guard. */
  without: string;
  /** Which invariants it breaks, as invariants.yaml lists it. */
  breaks: readonly string[];
  patches: readonly { file: string; from: string; to: string }[];
};

const COMMANDS = 'libs/service/src/commands/commands.ts';
const RUN_WRITE = 'libs/service/src/commands/run-write.ts';
const AUTHORITY = 'services/billing/src/store/authority.ts';
const SIGNED_ORDER = 'services/billing/src/domain/signed-order.ts';
const RECOVERY_WORKER = 'services/billing/src/signing/recovery-worker.ts';
const SIGNING_MACHINE = 'services/billing/src/signing/signing-machine.ts';
const RELAY = 'libs/service/src/outbox/relay.ts';
const PLAN_SIGN = 'services/planning/src/operations/plan-sign.ts';

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'B02',
    seed: 1,
    without: 'record and effect in one transaction',
    breaks: ['I01'],
    patches: [
      {
        file: RUN_WRITE,
        from: 'if (recorded && ctx.command !== null) await shell.commands.record(tx, ctx, operation, status, json);',
        to: '',
      },
      {
        file: RUN_WRITE,
        from: 'decided.parts.committed?.();',
        to: `if (recorded && ctx.command !== null)
          await inTx(shell.store, ctx.deadline, (tx) => shell.commands.record(tx, ctx, operation, status, json));
        decided.parts.committed?.();`,
      },
    ],
  },
  {
    name: 'B07',
    seed: 1,
    without: 'the cap in the statement that reserves',
    breaks: ['I12'],
    patches: [
      { file: AUTHORITY, from: '.held`]: { $lte: capCents - hold.total_cents },', to: '.held`]: { $exists: true },' },
    ],
  },
  {
    name: 'B10',
    seed: 190,
    without: 'closing a signing whose answer did not come',
    breaks: ['I19', 'I56'],
    patches: [
      {
        file: SIGNING_MACHINE,
        from: 'await this.recover(ctx, at.hold);\n        return ended(null);',
        to: 'await steps.release(at.hold);\n        return ended(null);',
      },
    ],
  },
  {
    name: 'B11',
    seed: 1,
    without: 'the verdict of a signature',
    breaks: ['I19', 'I56'],
    patches: [
      {
        file: PLAN_SIGN,
        from: 'await verdicts.insert(tx, verdict);\n    await plans.sign',
        to: 'await plans.sign',
      },
    ],
  },
  {
    name: 'B12',
    seed: 60,
    without: 'asking planning before a hold is released',
    breaks: ['I19', 'I55', 'I56'],
    patches: [
      {
        file: RECOVERY_WORKER,
        from: 'await signing.recover(ctx, hold);',
        to: `if (hold.refusal !== undefined) await signing.recover(ctx, hold);
          else await authorities.release(hold, hold.principal.key);`,
      },
    ],
  },
  {
    name: 'B13',
    seed: 10,
    without: 'the gate in the statement that reserves',
    breaks: ['I13'],
    patches: [{ file: AUTHORITY, from: 'min_mandate_version: { $lte: hold.mandate_version },', to: '' }],
  },
  {
    name: 'B19',
    seed: 40,
    without: 'the month fixed by the approval',
    breaks: ['I12', 'I55'],
    patches: [
      { file: SIGNED_ORDER, from: 'month: hold.month,', to: 'month: new Date(Date.now()).toISOString().slice(0, 7),' },
    ],
  },
  {
    name: 'B35',
    seed: 335,
    without: 'the relay reading every row that waits',
    breaks: ['I54'],
    patches: [
      {
        file: RELAY,
        from: "return this.publish(await this.outbox.rows.find({ state: 'new' }).sort({ _id: 1 }).limit(BATCH).toArray());",
        to: `const after = this.cursor ?? '';
          const rows = await this.outbox.rows.find({ _id: { $gt: after } }).sort({ _id: 1 }).limit(BATCH).toArray();
          const sent = await this.publish(rows);
          this.cursor = rows.at(-1)?._id ?? after;
          return sent;`,
      },
    ],
  },
  {
    name: 'hold-of-another-request',
    seed: 65,
    without: 'the end of a hold whose command has the record of another request',
    breaks: ['I55'],
    patches: [
      {
        file: COMMANDS,
        from: 'return row.fp === command.fp ? this.outcomeOf(row) : conflicting();',
        to: 'if (row.fp !== command.fp) throw idempotencyConflict();\n    return this.outcomeOf(row);',
      },
    ],
  },
  {
    name: 'record-read-before-the-lease',
    seed: 312,
    without: 'reading the record again once the lease is held',
    breaks: ['I01', 'I02'],
    patches: [
      {
        file: RUN_WRITE,
        from: 'const ended = lease.first ? null : await shell.commands.stored(ctx);',
        to: 'const ended = null;',
      },
      { file: RUN_WRITE, from: 'if (ended === null) throw error;\n    return ended;', to: 'throw error;' },
    ],
  },
];
