import type { AuditEntry } from '@cds/contracts';
import { AuditHeads, Lease, Sealer } from '@cds/service';
import { checkExport } from '@cds/service/audit-check';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Brand, makeBrand } from '../../../test/edge-app.js';
import { signIn } from '../../../test/people.js';
import { testEdge } from '../../../test/suite.js';

type Entry = AuditEntry & { reason: string | null };

/** What a brand reads of its audit (docs/domain/operators.md#audit). */
describe('a brand’s audit', () => {
  const edge = testEdge('audit_list');
  let brand: Brand;
  let other: Brand;

  const ask = async (path: string, role: 'viewer' | 'member' | 'admin' | 'owner' = 'admin') => {
    const { cookie } = await signIn(edge, brand, role);
    const response = await fetch(`${edge.url}/api/brand/audit${path}`, { headers: { cookie } });
    return { status: response.status, text: await response.text() };
  };
  const list = async (query = '') => JSON.parse((await ask(query)).text) as { items: Entry[]; next: string | null };

  beforeAll(async () => {
    brand = await makeBrand(edge);
    other = await makeBrand(edge);
    await signIn(edge, brand);
    await edge.shell.audit.rows.updateMany(
      { action: 'key.made' },
      { $set: { actor: 'operator:o', reason: 'A reason.' } },
    );
    const { store, audit, failpoints } = edge.shell;
    await new Sealer({
      ...{ service: 'gateway', store, audit, failpoints },
      heads: new AuditHeads(store),
      lease: new Lease(store, 'audit'),
    }).run();
  });

  it('shows the entries of its own workspace, page by page, without an operator’s reason', async () => {
    const seen: Entry[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await list(`?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.items);
      cursor = page.next;
    }
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_entry, index) => seen.length - index));
    expect(seen.filter(({ action }) => action === 'key.made').length).toBeGreaterThanOrEqual(6);
    expect(new Set(seen.map(({ workspace }) => workspace))).toEqual(new Set([brand.workspaces.live]));
    expect(seen.some((entry) => 'place' in entry)).toBe(false);
    const reasons = seen.map(({ action, reason }) => [action === 'session.started', reason]);
    expect(reasons.filter(([isSession]) => !isSession).every(([, reason]) => reason === null)).toBe(true);
    expect(reasons.filter(([isSession]) => isSession)).toEqual([[true, expect.stringContaining('from 127.0.0.1 "')]]);
    expect(other.workspaces.live).not.toBe(brand.workspaces.live);
  });

  it.each(['viewer', 'member'] as const)('is refused to a %s', async (role) => {
    expect((await ask('', role)).status).toBe(403);
    expect((await ask('/export', role)).status).toBe(403);
  });

  it('is exported as a file without entries of another workspace', async () => {
    const { status, text } = await ask('/export', 'owner');
    expect(status).toBe(200);
    expect(checkExport(text, new Set([edge.shell.config.audit.key.name]))).toMatchObject({ findings: [] });
    expect(text).not.toContain(other.workspaces.live);
  });
});
