import { randomUUID } from 'node:crypto';
import { unprocessable } from '@cds/contracts';
import type { Client, WriteHandler } from '@cds/service';
import { contextChange } from '../changes/context-change.js';
import { type ContextVersion, proposedVersion } from '../domain/campaign/context.js';
import { audienceOf } from '../load/campaigns.js';
import { contextVersionView } from '../present/brain.js';
import type { Contexts } from '../store/contexts.js';
import { type FetchPage, readWebsite } from '../website/read-website.js';

type Deps = { contexts: Contexts; catalog: Client<'audience_resolve'>; fetchPage: FetchPage };

/** Raises unprocessable when no page can be read. Source: docs/domain/plans.md#company-context. */
export const contextRead: WriteHandler<'context_read', Deps> = async (ctx, input, deps) => {
  const { contexts, catalog, fetchPage } = deps;
  const { workspace } = ctx.principal;
  await contexts.ensure(workspace);
  const before = (await contexts.byWorkspace(workspace))?.versions ?? [];
  const url = input.url ?? lastRead(before);
  if (url === null) throw unprocessable([{ field: 'url', message: 'is required, since no page was read before' }]);

  const website = await readWebsite(fetchPage, url);
  if (website === null) throw unprocessable([{ field: 'url', message: CANNOT_READ }]);
  const { segments, unresolved } = await audienceOf(ctx, catalog, website.text);
  const audience = unresolved ? null : segments.map(({ label }) => label).join(', ');

  const { name, summary } = website;
  const read = { proposal: randomUUID(), url };
  const version = proposedVersion(before, { name, summary, audience }, read, ctx.now);

  return contextChange(contextVersionView(version), {
    ctx,
    workspace,
    before,
    after: [...before, version],
    action: 'context.read',
    save: (tx) => contexts.add(tx, workspace, version, before),
  });
};

const CANNOT_READ =
  'could not be read: it must be a public https page in HTML, of at most 1 MB, that answers within 5 seconds';

const lastRead = (versions: readonly ContextVersion[]): string | null =>
  versions.reduce<string | null>((last, { read }) => read?.url ?? last, null);
