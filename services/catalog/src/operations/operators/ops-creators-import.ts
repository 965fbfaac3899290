import { setTimeout as delay } from 'node:timers/promises';
import { AppError, type Output, type UploadRef } from '@cds/contracts';
import { actorOf, type BaseShell, type Ctx, change, Deadline, type WriteHandler } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import type { Uploads } from '../../identity/uploads.js';
import type { FileImports } from '../../imports/file-imports.js';
import type { ImportWanted } from '../../imports/import-batches.js';
import type { ImportReport } from '../../imports/importer.js';
import { auditedBy, type OperatorCreatorService } from '../../operators/operator-creator-service.js';
import type { NetworkMemory } from '../../snapshot/memory.js';
import type { Imports } from '../../store/imports.js';

const TIMEOUT_MS = 18_000;
const RENEW_MS = 10_000;

export type ImportDependencies = {
  fileImports: FileImports;
  uploads: Pick<Uploads, 'count' | 'drop'>;
  memory: Pick<NetworkMemory, 'follow'>;
  operatorCreators: OperatorCreatorService;
  imports: Pick<Imports, 'keep' | 'renew'>;
  log: BaseShell['log'];
};

type Sent = {
  upload: UploadRef;
  dry_run?: boolean | undefined;
  as_of?: string | undefined;
  reason?: string | undefined;
};

/** Answers after 18 s with `done` false (docs/domain/network.md#imports). Raises unprocessable for an invalid file. */
export const opsCreatorsImport: WriteHandler<'ops_creators_import', ImportDependencies> = (ctx, input, deps) =>
  imported(ctx, input, null, deps);

/** X analytics CSV, or JSON. Raises not_found, conflict (bad_state), unprocessable. */
export const opsCreatorFacts: WriteHandler<'ops_creator_facts', ImportDependencies> = async (ctx, input, deps) => {
  const { creator, identity } = await deps.operatorCreators.toChange(input.id);
  if (identity === null) throw new AppError('internal', 'The creator has no identity on file.');
  return imported(ctx, input, { id: creator._id, handle: identity.handle, networkId: creator.network_id }, deps);
};

const imported = async (ctx: Ctx, input: Sent, creator: ImportWanted['creator'], deps: ImportDependencies) => {
  const dryRun = input.dry_run ?? false;
  const run = Deadline.detached(() => new Run(ctx, input, creator, deps));
  await Promise.race([run.done, delay(TIMEOUT_MS, undefined, { ref: false })]);

  const answer: Output<'ops_creators_import'> = {
    id: input.upload.id,
    ...run.report,
    dry_run: dryRun,
    done: run.ended,
    failed: false,
  };
  const { refused, ...counts } = run.report;
  return change(answer, {
    // The importer has committed its batches; only the command's record is left to store.
    save: async () => undefined,
    audit: [
      auditedBy(
        ctx,
        creator === null ? 'creators.imported' : 'creator.facts_imported',
        creator?.id ?? input.upload.id,
        input.reason ?? '',
        {
          ...counts,
          refused: refused.length,
          dry_run: dryRun,
        },
      ),
    ],
  });
};

class Run {
  report: ImportReport = { created: 0, updated: 0, unchanged: 0, refused: [] };
  ended = false;
  readonly done: Promise<void>;

  constructor(
    ctx: Ctx,
    input: Sent,
    creator: ImportWanted['creator'],
    { fileImports, uploads, memory, imports, log }: ImportDependencies,
  ) {
    const wanted: ImportWanted = {
      asOf: input.as_of === undefined ? null : new Date(input.as_of),
      dryRun: input.dry_run ?? false,
      creator,
      networkNow: ctx.networkNow,
      setBy: actorOf(ctx),
    };
    const { id, chunks } = input.upload;
    const keep = (failed: boolean): Promise<void> =>
      imports.keep({ _id: id, ...this.report, dry_run: wanted.dryRun, done: this.ended, failed });
    const renewal = setInterval(() => void imports.renew(id).catch(() => undefined), RENEW_MS);
    renewal.unref();
    this.done = (async () => {
      try {
        await keep(false);
        if ((await uploads.count(id)) !== chunks)
          throw new AppError('unavailable', 'The file arrived incomplete. Send it again.', { retry_after: 1 });
        this.report = await fileImports.run(input.upload, wanted, async (report) => {
          this.report = report;
          await keep(false);
          log.info({ upload: id, created: report.created, updated: report.updated }, 'an import is running');
        });
        this.ended = true;
        await keep(false);
        if (!wanted.dryRun) await memory.follow(dayOf(ctx.networkNow));
      } finally {
        clearInterval(renewal);
        await uploads.drop(id);
      }
    })();
    this.done.catch(async (err: unknown) => {
      await keep(true).catch(() => undefined);
      if (!(err instanceof AppError)) log.error({ err, upload: id }, 'an import failed');
    });
  }
}
