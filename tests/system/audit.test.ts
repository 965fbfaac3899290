// @night: entries have tests beside their acts; this one reads the audit of a running system.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Databases } from '../support/audits/audit.js';
import { auditEntries } from '../support/audits/entries.js';
import { signPlan } from '../support/main-job.js';
import { aBrand, ask, eventually, type SharedStack, secretOf, sharedStack } from '../support/stack.js';

const TAIL_MS = 5_000;
const run = promisify(execFile);

/** The audit of the whole system: sealed in time, complete, and checked offline (docs/reliability.md#audit). */
describe('the audit', () => {
  let stack: SharedStack;
  let databases: Databases;
  let folder: string;
  let workspace: string;
  let orderId: string;

  const verify = (...args: string[]): Promise<{ code: number; out: string }> =>
    run(process.execPath, ['tools/audit-verify.ts', ...args]).then(
      ({ stdout }) => ({ code: 0, out: stdout }),
      ({ code, stdout }: { code: number; stdout: string }) => ({ code, out: stdout }),
    );

  beforeAll(async () => {
    stack = await sharedStack();
    databases = await Databases.open(stack.mongodbUri, stack.prefix);
    folder = mkdtempSync(join(tmpdir(), 'cds-audit-'));
    const brand = await aBrand(stack);
    workspace = brand.sandbox.id;
    const secret = secretOf(brand.sandbox, 'full');
    ({ orderId } = await signPlan(stack, secret));
    expect(await ask(stack, secret, 'sandbox_order_payment', { id: orderId, outcome: 'paid' })).toMatchObject({
      status: 200,
    });
  }, 120_000);
  afterAll(async () => {
    await databases?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('shows what happened in all services, sealed within five seconds', async () => {
    const actions = (body: { items: { action: string; object: string }[] }) => body.items.map(({ action }) => action);
    const wanted = [
      'key.made',
      'mandate.set',
      'mandate.terms_accepted',
      'campaign.create',
      'plan.sign',
      'order.signed',
    ];
    const { body } = await eventually(
      () => ask(stack, stack.opsToken, 'ops_audit_list', { workspace, limit: 200 }),
      (answer) => [...wanted, 'ledger.charge'].every((action) => actions(answer).includes(action)),
      TAIL_MS,
    );
    expect(actions(body as never)).toEqual(expect.arrayContaining([...wanted, 'ledger.charge']));
  });

  it('has an entry for every signature, money event, mandate change and key change', async () => {
    expect(await auditEntries(databases)).toEqual([]);
  });

  it('is exported as a file that the offline check accepts, and no other', async () => {
    const url = new URL(`/api/ops/audit/export?workspace=${workspace}`, stack.appUrl);
    const response = await fetch(url, { headers: { authorization: `Bearer ${stack.opsToken}` } });
    const text = await response.text();
    expect(text).toContain(orderId);
    const file = join(folder, 'audit.jsonl');
    writeFileSync(file, text);

    const pem = join(stack.home, 'audit', 'public-keys.pem');
    expect(await verify(file, '--public-key', pem)).toMatchObject({ code: 0 });

    writeFileSync(
      file,
      text.replace(
        orderId,
        orderId.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      ),
    );
    const found = await verify(file, '--public-key', pem);
    expect(found.code).toBe(1);
    expect(found.out).toMatch(/line \d+: entry \d+ of billing edited/);
    expect((await verify(join(folder, 'none.jsonl'))).code).toBe(2);
  });
});
