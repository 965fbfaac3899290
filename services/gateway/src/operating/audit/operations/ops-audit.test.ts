import { randomUUID } from 'node:crypto';
import { AppError, type AuditEntry } from '@cds/contracts';
import { AUDIT_FORMAT, AuditHeads, Deadline, hashOf, inTx, Lease, NO_PREVIOUS, Sealer } from '@cds/service';
import { checkExport } from '@cds/service/audit-check';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { OPS_TOKEN } from '../../../test/edge-app.js';
import { testEdge } from '../../../test/suite.js';

const WORKSPACE = '00000000-0000-4000-8000-00000000a11d';

/** What operators read of the audit (docs/domain/operators.md#audit). */
describe('the operators’ audit', () => {
  const edge = testEdge('ops_audit');

  const ask = (path: string, accept = 'application/json') =>
    fetch(`${edge.url}/api/ops/audit${path}`, { headers: { authorization: `Bearer ${OPS_TOKEN}`, accept } });
  const list = async (query = '') => {
    const response = await ask(query);
    return { status: response.status, body: (await response.json()) as { items: AuditEntry[]; next: string | null } };
  };
  const act = async (...workspaces: string[]): Promise<void> => {
    const { store, audit } = edge.shell;
    await inTx(store, Deadline.in(10_000), (tx) =>
      audit.add(
        tx,
        workspaces.map((ws, index) => ({
          ...{ ws, actor: 'operator:o', action: 'test.act', object: `own-${index}`, reason: 'A reason.', payload: {} },
        })),
        new Date('2026-11-22T00:00:00.000Z'),
      ),
    );
    await new Sealer({
      ...{ service: 'gateway', store, audit, failpoints: edge.shell.failpoints },
      heads: new AuditHeads(store),
      lease: new Lease(store, 'audit'),
    }).run();
  };
  /** A chain of billing's, as billing answers it. */
  const billed = (count: number): AuditEntry[] => {
    let prev = NO_PREVIOUS;
    return Array.from({ length: count }, (_none, index) => {
      const entry: Omit<AuditEntry, 'hash'> = {
        ...{ format: AUDIT_FORMAT, service: 'billing', workspace: WORKSPACE, seq: index + 1, prev, id: randomUUID() },
        ...{ at: `2026-11-21T00:00:0${index}.000Z`, actor: 'key:k', action: 'plan.approve', object: `order-${index}` },
        ...{ reason_hash: null, payload_hash: 'a'.repeat(64) },
      };
      prev = hashOf(entry);
      return { ...entry, hash: prev };
    });
  };

  beforeAll(async () => {
    const chain = billed(4);
    edge.answer('billing_audit', (_ctx, { before, limit }) => ({
      entries: [...chain]
        .reverse()
        .filter(({ seq }) => before === null || seq < Number(before))
        .slice(0, Number(limit))
        .map((entry) => ({ ...entry, place: entry.seq, reason: null })),
    }));
    edge.answer('billing_audit_chain', (_ctx, { after, workspace }) => ({
      entries: chain.filter((entry) => entry.workspace === workspace && entry.seq > Number(after)),
      checkpoints: [],
    }));
    await act('', WORKSPACE, '');
  });

  it('lists the entries of all services, the latest first, page by page', async () => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await list(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...body.items.map(({ service, seq, workspace }) => `${service} ${seq} ${workspace.slice(-4)}`));
      cursor = body.next;
    }
    expect(seen).toEqual([
      'gateway 2 ',
      'gateway 1 a11d',
      'gateway 1 ',
      'billing 4 a11d',
      'billing 3 a11d',
      'billing 2 a11d',
      'billing 1 a11d',
    ]);
  });

  it('shows the reason beside its hash, and lists one workspace or one service', async () => {
    const { body } = await list(`?workspace=${WORKSPACE}&service=gateway`);
    expect(body.items).toEqual([
      expect.objectContaining({ service: 'gateway', seq: 1, reason: 'A reason.', workspace: WORKSPACE }),
    ]);
    expect(edge.sent.filter(({ name }) => name === 'billing_audit').length).toBeGreaterThan(0);
  });

  it('takes only its own cursors', async () => {
    const { body } = await list('?limit=1');
    expect((await list(`?workspace=${WORKSPACE}&cursor=${body.next}`)).status).toBe(400);
    expect((await list('?cursor=nowhere')).status).toBe(400);
  });

  it('does not answer a part while a service is unavailable, but one that answers can be asked alone', async () => {
    edge.answer('metrics_audit', () => {
      throw new AppError('unavailable', 'm', { retry_after: 1 });
    });
    expect(await list()).toMatchObject({
      status: 503,
      body: { error: { code: 'unavailable', details: { unavailable: ['metrics'] } } },
    });
    expect((await list('?service=billing')).status).toBe(200);
    edge.answer('metrics_audit', () => ({ entries: [] }));
  });

  it('exports a workspace as JSON Lines that the offline check accepts', async () => {
    const response = await ask(`/export?workspace=${WORKSPACE}`, 'application/x-ndjson');
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/x-ndjson; charset=utf-8',
    ]);
    const text = await response.text();
    expect(checkExport(text, new Set([edge.shell.config.audit.key.name]))).toMatchObject({
      ...{ findings: [], entries: 5, next: null },
    });
    const short = text.split('\n').toSpliced(2, 1).join('\n');
    expect(checkExport(short).findings).toEqual([
      { problem: 'dropped', what: 'entry', line: 3, service: 'billing', seq: 2, last: 2 },
    ]);
  });

  it('exports the operators’ own chain when no workspace is named', async () => {
    const text = await (await ask('/export')).text();
    expect(checkExport(text)).toMatchObject({ findings: [], entries: 2 });
    expect(text).not.toContain('A reason.');
  });
});
