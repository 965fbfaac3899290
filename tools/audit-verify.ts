/**
 * `npm run audit:verify -- FILE...`: checks exported audits offline and names everything that was changed in them.
 * `--public-key FILE` accepts only signatures of those keys: a PEM file, or the keys as exports name them.
 */
import { createPublicKey } from 'node:crypto';
import { Failure } from './lib/failure.ts';
import { textOf, verify } from './lib/verifier.ts';

function keysIn(file: string): Set<string> {
  const text = textOf(file);
  const blocks = text.match(/-----BEGIN PUBLIC KEY-----[\s\S]*?-----END PUBLIC KEY-----/g);
  const names = blocks
    ? blocks.map((block) => createPublicKey(block).export({ format: 'jwk' }).x ?? '')
    : text.split(/\s+/).filter((word) => /^[\w-]{43}$/.test(word));
  if (names.length === 0) throw new Failure(`${file} holds no Ed25519 public key.`);
  return new Set(names);
}

type Found = { problem: string; what: string; line: number | null; service?: string; seq?: number; last?: number };

function sentence({ problem, what, line, service, seq, last }: Found) {
  const where = line === null ? '' : `line ${line}: `;
  const place =
    seq === undefined ? '' : ` ${seq}${last === undefined || last === seq ? '' : ` to ${last}`} of ${service}`;
  return `  ${where}${what}${place} ${problem}`;
}

async function check(files: string[], keyFile: string | undefined) {
  const { checkExport } = await import('@cds/service/audit-check');
  const trusted = keyFile === undefined ? null : keysIn(keyFile);
  let bad = 0;
  for (const file of files) {
    const { findings, entries, checkpoints, keys, next } = checkExport(textOf(file), trusted);
    bad += findings.length;
    if (findings.length === 0)
      console.log(`${file}: whole and unchanged, ${entries} entries, ${checkpoints} checkpoints.`);
    else console.log(`${file}: ${findings.length} finding(s)\n${findings.map(sentence).join('\n')}`);
    if (trusted === null) console.log(`  Signed with ${keys.join(', ') || 'no key'}. Compare with the published keys.`);
    if (next !== null) console.log(`  The export continues: fetch the next file with cursor=${next}`);
  }
  return bad === 0 ? 0 : 1;
}

await verify(
  {
    keyOption: 'public-key',
    most: Number.POSITIVE_INFINITY,
    usage: ['npm run audit:verify -- audit.jsonl', 'npm run audit:verify -- audit.jsonl --public-key public-keys.pem'],
    compiled: 'libs/service/dist/audit/export-check.js',
  },
  check,
);
