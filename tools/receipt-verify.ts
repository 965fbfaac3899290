/**
 * `npm run receipt:verify -- FILE`: checks a receipt offline and prints what it says. FILE is the answer of GET
 * /receipts/{id}, or its jws alone. `--keys FILE` accepts only signatures of those keys: a saved
 * /.well-known/cds-keys.json.
 */
import type { Receipt } from '@cds/contracts';
import { Failure } from './lib/failure.ts';
import { textOf, verify } from './lib/verifier.ts';

const HOW_TO_GET_KEYS = 'Save {app_url}/.well-known/cds-keys.json and pass that file.';

function keysIn(file: string) {
  const published = jsonIn(file);
  // Without this, a wrong file would call every genuine receipt forged.
  if (!Array.isArray(published?.keys)) throw new Failure(`${file} holds no list of keys. ${HOW_TO_GET_KEYS}`);
  return published;
}

function jsonIn(file: string) {
  try {
    return JSON.parse(textOf(file));
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${file} is not JSON. ${HOW_TO_GET_KEYS}`);
  }
}

/** US cents as dollars, without a detour through fractions. */
function money(cents: number | null, currency: string) {
  if (cents === null) return 'no amount';
  const text = String(cents).padStart(3, '0');
  return `${text.slice(0, -2)}.${text.slice(-2)} ${currency}`;
}

function ruleLine({ rule, passed, figures }: Receipt['rules'][number]) {
  const named = Object.entries(figures).map(([name, value]) => `${name} ${[value].flat().join(', ')}`);
  return `    ${passed ? 'passed' : 'FAILED'}  ${[rule, ...named].join('; ')}`;
}

function lineLine(
  { unit_id, scheduled_date, price_cents, current_price_cents }: Receipt['lines'][number],
  currency: string,
) {
  const now = current_price_cents === null ? '' : `, currently ${money(current_price_cents, currency)}`;
  return `    ${scheduled_date}  ${money(price_cents, currency)}${now}  ${unit_id ?? 'no unit'}`;
}

function summary(receipt: Receipt) {
  const { currency } = receipt;
  const total = money(receipt.total_cents, currency);
  const child = receipt.parent_key_id === null ? '' : `, a child of ${receipt.parent_key_id}`;
  const readAt = receipt.prices_read_at === null ? 'not recorded' : `read at ${receipt.prices_read_at}`;
  return [
    `  ${receipt.kind === 'signed' ? `Signed: ${total}, order ${receipt.order_id}` : `Refused by the mandate: ${receipt.operation}, ${total}`}`,
    `  At ${receipt.at}, by ${receipt.issuer}${receipt.sandbox ? ', in a sandbox: no money moved' : ''}`,
    `  Receipt ${receipt.id}, request ${receipt.request_id ?? 'not recorded'}`,
    `  Workspace ${receipt.workspace}`,
    `  Key ${receipt.key_id}${child}`,
    `  Mandate version ${receipt.mandate_version}, brand terms ${receipt.brand_terms_version ?? 'none'}`,
    ...(receipt.plan_id === null
      ? []
      : [`  Plan ${receipt.plan_id}, version ${receipt.plan_version}, terms ${receipt.terms_fingerprint}`]),
    ...(receipt.lines.length === 0 ? [] : [`  Lines, with current prices ${readAt}:`]),
    ...receipt.lines.map((line) => lineLine(line, currency)),
    '  Checks:',
    ...receipt.rules.map(ruleLine),
  ];
}

/** Texts of a file that nobody has vouched for must not steer the terminal. */
const printable = (text: string) => text.replace(/\p{Cc}/gu, '?');

async function check([file]: string[], keyFile: string | undefined) {
  const { checkReceipt } = await import('@cds/billing/receipt-check');
  const published = keyFile === undefined ? null : keysIn(keyFile);
  const { problems, receipt, key } = await checkReceipt(textOf(file), published);

  if (problems.length > 0) {
    console.log(`${file}: NOT genuine`);
    for (const problem of problems) console.log(`  ${problem}`);
    return 1;
  }
  console.log(`${file}: genuine, signed with key ${key}.`);
  if (published === null) {
    console.log('  The key itself was NOT checked: it is the one inside the receipt.');
    console.log(
      `  Its thumbprint is ${key}. Compare it with a kid of {app_url}/.well-known/cds-keys.json, or pass --keys.`,
    );
  }
  if (receipt !== null) for (const line of summary(receipt)) console.log(printable(line));
  return 0;
}

await verify(
  {
    keyOption: 'keys',
    most: 1,
    usage: ['npm run receipt:verify -- receipt.json', 'npm run receipt:verify -- receipt.json --keys cds-keys.json'],
    compiled: 'services/billing/dist/signing/receipt-check.js',
  },
  check,
);
