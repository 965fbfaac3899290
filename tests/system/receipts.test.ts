// @night: runs the offline script on receipts that have tests beside them.
import { execFile } from 'node:child_process';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SignedReceipt } from '@cds/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPlan } from '../support/main-job.js';
import { aBrand, anIdempotencyKey, ask, type SharedStack, secretOf, sharedStack } from '../support/stack.js';

const run = promisify(execFile);

describe('the script for receipts', () => {
  let stack: SharedStack;
  let folder: string;
  let keysFile: string;
  let signed: SignedReceipt;
  let refused: SignedReceipt;
  let refusedEdit: SignedReceipt;
  let published: { keys: { kid: string }[] };

  const save = (name: string, content: unknown): string => {
    const file = join(folder, name);
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
    return file;
  };
  const verify = (...args: string[]): Promise<{ code: number; out: string }> =>
    run(process.execPath, ['tools/receipt-verify.ts', ...args]).then(
      ({ stdout }) => ({ code: 0, out: stdout }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, out: stdout + stderr }),
    );
  /** The receipt as somebody else would sign it, under a key of their own. */
  const forged = ({ jws, ...rest }: SignedReceipt, key: KeyObject, kid?: string): SignedReceipt => {
    const [header = '', payload] = jws.split('.');
    const { x } = key.export({ format: 'jwk' });
    const named = JSON.parse(Buffer.from(header, 'base64url').toString()) as Record<string, unknown>;
    const theirs = { ...named, kid: kid ?? 'theirs', jwk: { kty: 'OKP', crv: 'Ed25519', x } };
    const text = `${Buffer.from(JSON.stringify(theirs)).toString('base64url')}.${payload}`;
    return { ...rest, jws: `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}` };
  };

  beforeAll(async () => {
    stack = await sharedStack();
    folder = mkdtempSync(join(tmpdir(), 'cds-receipts-'));
    const { sandbox } = await aBrand(stack);
    const full = secretOf(sandbox, 'full');
    const { plan } = await startPlan(stack, full);
    const terms = { id: plan.plan_id, terms_fingerprint: plan.terms_fingerprint };
    const read = async (id: string) => (await ask(stack, full, 'receipt_get', { id })).body as SignedReceipt;

    // This key may not sign, by its mandate.
    const again = { 'idempotency-key': anIdempotencyKey() };
    const refusals = [
      await ask(stack, secretOf(sandbox, 'muted'), 'approve_plan', terms, again),
      await ask(stack, secretOf(sandbox, 'muted'), 'approve_plan', terms, again),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([403, 403]);
    expect(refusals[1]?.body).toEqual(refusals[0]?.body);
    const [first] = refusals as [{ body: { error: { receipt_id: string } } }, unknown];
    refused = await read(first.body.error.receipt_id);

    const withoutMandate = await ask(stack, secretOf(sandbox, 'bare'), 'rename_campaign', {
      id: plan.campaign_id,
      name: 'Not allowed',
    });
    expect(withoutMandate.status).toBe(403);
    const { receipt_id } = (withoutMandate.body as { error: { receipt_id: string } }).error;
    refusedEdit = await read(receipt_id);

    const { order_id } = (await ask(stack, full, 'approve_plan', terms)).body as { order_id: string };
    const order = (await ask(stack, full, 'order_get', { id: order_id })).body as { receipt_id: string };
    signed = await read(order.receipt_id);
    expect(signed.receipt).toMatchObject({ issuer: stack.appUrl, order_id, total_cents: plan.total_cents });
    expect(signed.receipt.lines.map((line) => line.price_cents).sort()).toEqual(
      plan.lines.map((line) => line.price_cents).sort(),
    );

    const response = await fetch(`${stack.appUrl}/.well-known/cds-keys.json`);
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    const text = await response.text();
    published = JSON.parse(text) as typeof published;
    keysFile = save('cds-keys.json', text);
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('finds receipts of a signing and of refusals genuine under the published keys', async () => {
    const [one, other, edit] = await Promise.all([
      verify(save('signed.json', signed), '--keys', keysFile),
      verify(save('refused.json', refused), '--keys', keysFile),
      verify(save('refused-edit.json', refusedEdit), '--keys', keysFile),
    ]);
    expect([one.code, other.code, edit.code]).toEqual([0, 0, 0]);
    expect(one.out).toContain(`genuine, signed with key ${published.keys[0]?.kid}.`);
    expect(one.out).toContain(`order ${signed.receipt.order_id}`);
    expect(one.out).not.toContain('NOT');
    expect(other.out).toContain('Refused by the mandate');
    expect(other.out).toContain('FAILED  approval_not_allowed');
    expect(edit.out).toContain('Refused by the mandate: rename_campaign');
    expect(edit.out).toContain('FAILED  no_mandate');
  });

  it('finds a receipt genuine without the keys too, and says what it did not check', async () => {
    const { code, out } = await verify(save('bare.jws', signed.jws));
    expect(code).toBe(0);
    expect(out).toContain('The key itself was NOT checked');
    expect(out).toContain(`Its thumbprint is ${published.keys[0]?.kid}.`);
  });

  it('refuses a receipt when anything in its file was altered', async () => {
    const [header, payload = '', signature] = signed.jws.split('.');
    const dearer = Buffer.from(payload, 'base64url').toString().replace('"total_cents":', '"total_cents":1');
    const altered = {
      signed: `${header}.${Buffer.from(dearer).toString('base64url')}.${signature}`,
      beside: { ...signed, receipt: { ...signed.receipt, total_cents: 1 } },
      swapped: { ...signed, jws: refused.jws },
      cut: signed.jws.slice(0, -4),
    };
    const results = await Promise.all(
      Object.entries(altered).map(([name, content]) => verify(save(`altered-${name}`, content), '--keys', keysFile)),
    );
    expect(results.map(({ code }) => code)).toEqual([1, 1, 1, 1]);
    for (const { out } of results) expect(out).toContain('NOT genuine');
  });

  it('refuses a receipt that was signed with a key that is not published', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const results = await Promise.all([
      verify(save('foreign.json', forged(signed, privateKey)), '--keys', keysFile),
      verify(save('posing.json', forged(signed, privateKey, published.keys[0]?.kid)), '--keys', keysFile),
      verify(save('genuine.json', signed), '--keys', save('other-keys.json', { keys: [] })),
    ]);
    expect(results.map(({ code }) => code)).toEqual([1, 1, 1]);
    expect(results[0]?.out).toContain('a key that is none of the published keys');
    expect(results[1]?.out).toContain('The signature does not hold.');
  });
});
