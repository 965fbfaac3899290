import { type Key, MandateInput, type Problem, problemsOf, READ_SCOPES, SCOPES, type Scope } from '@cds/contracts';
import type { Form } from '../foundation/form.js';
import { errorAt, type FieldNames, type FieldProblem, type Shown } from '../foundation/problems.js';
import {
  endOfDay,
  MANDATE_FIELDS,
  type MandateBody,
  type MandateTyped,
  mandateBody,
  mandateFields,
  mandateTyped,
  typedOf,
} from './mandate-form.js';
import { SCOPE_WORDS } from './words.js';

export type KeyTyped = {
  name: string;
  scopes: string[];
  expires: string;
  may_delegate: boolean;
  with_mandate: boolean;
  mandate: MandateTyped;
};

/** What the forms of a new key and of a changed one both ask. */
export type SettingsTyped = Pick<KeyTyped, 'name' | 'scopes' | 'expires' | 'may_delegate'>;

export const KEY_FIELDS: FieldNames = {
  name: { field: 'name', label: 'Name' },
  scopes: { field: 'scopes', label: 'What it may do' },
  expires_at: { field: 'expires', label: 'Expires on' },
  may_delegate: { field: 'may_delegate', label: 'Child keys' },
};

export const newKey = (now: Date): KeyTyped => ({
  name: '',
  scopes: [...READ_SCOPES],
  expires: '',
  may_delegate: false,
  with_mandate: false,
  mandate: typedOf(null, now),
});

export const settingsTyped = (form: Form): SettingsTyped => ({
  name: form.one('name').trim(),
  scopes: form.all('scopes'),
  expires: form.one('expires').trim(),
  may_delegate: form.one('may_delegate') === 'true',
});

export const keyTyped = (form: Form): KeyTyped => ({
  ...settingsTyped(form),
  with_mandate: form.one('with_mandate') === 'yes',
  mandate: mandateTyped(form),
});

export const keyBody = ({ name, scopes, expires, may_delegate }: SettingsTyped) => ({
  name,
  scopes,
  expires_at: expires === '' ? null : endOfDay(expires),
  may_delegate,
});

const asFields = (problems: readonly Problem[]): FieldProblem[] =>
  problems.flatMap(({ field, message }) => {
    const at = MANDATE_FIELDS[field.split('.')[0] ?? ''];
    return at === undefined ? [] : [{ ...at, message: `${message.charAt(0).toUpperCase()}${message.slice(1)}.` }];
  });

/** Checked before the key is made, so that a typing error does not leave a key without its mandate. */
export const checkedMandate = (
  { with_mandate, mandate, scopes }: KeyTyped,
  now: Date,
): { body: MandateBody | null } | { problems: FieldProblem[] } => {
  if (!with_mandate) return { body: null };
  const read = mandateBody(mandate);
  if ('problems' in read) return read;
  const parsed = MandateInput.safeParse(read.body);
  const { unknown, values } = parsed.success
    ? { unknown: [], values: [] }
    : problemsOf(parsed.error, read.body, 'body');
  const problems = asFields([...unknown, ...values]);
  if (read.body.may_approve && !scopes.includes('plans:approve'))
    problems.push({
      field: 'may_approve',
      label: 'Signing',
      message: 'A key that signs also needs “Sign plans” above.',
    });
  if (parsed.success && new Date(read.body.expires_at) <= now)
    problems.push({ field: 'mandate_expires', label: 'Valid until', message: 'Choose a day in the future.' });
  return problems.length > 0 ? { problems } : { body: read.body };
};

const scopeOption = (scope: Scope, chosen: readonly string[]) => ({
  value: scope,
  ...SCOPE_WORDS[scope],
  checked: chosen.includes(scope),
});

export const keyFields = (typed: SettingsTyped, problems: readonly FieldProblem[]) => ({
  name: {
    name: 'name',
    label: 'Name',
    help: 'What your team calls this key, such as the agent that uses it. At most 60 characters.',
    value: typed.name,
    error: errorAt(problems, 'name'),
  },
  scopes: {
    name: 'scopes',
    legend: 'What it may do',
    help: 'A key does only what is ticked here. Reading spends nothing.',
    columns: true,
    error: errorAt(problems, 'scopes'),
    options: SCOPES.map((scope) => scopeOption(scope, typed.scopes)),
  },
  expires: {
    name: 'expires',
    label: 'Expires on',
    help: 'The end of this day in UTC. Leave it empty for a key that stays until you revoke it.',
    type: 'date',
    short: true,
    value: typed.expires,
    error: errorAt(problems, 'expires'),
  },
  delegate: {
    name: 'may_delegate',
    legend: 'Child keys',
    error: errorAt(problems, 'may_delegate'),
    options: [
      {
        value: 'true',
        label: 'May make child keys',
        help: 'The key can then make keys for other agents, which may do no more than it may and whose spend counts on it too. Without the tick it makes no more; those that it made stay until they are revoked.',
        checked: typed.may_delegate,
      },
    ],
  },
});

export const keyNewModel = (typed: KeyTyped, shown: Shown) => ({
  ...shown,
  ...keyFields(typed, shown.problems),
  withMandate: {
    name: 'with_mandate',
    legend: 'Mandate',
    type: 'radio',
    help: 'A mandate is what you allow this key to do with money. Without one it reads, and every write is refused.',
    options: [
      { value: 'no', label: 'No mandate', help: 'You can set one later.', checked: !typed.with_mandate },
      { value: 'yes', label: 'Set a mandate', help: 'With the limits below.', checked: typed.with_mandate },
    ],
  },
  mandate: mandateFields(typed.mandate, shown.problems, null),
});

/** MCP clients read a variable of the environment in this form. */
const FROM_ENVIRONMENT = ['Bearer $', '{CDS_API_KEY}'].join('');

/** How to use a new key, as lines to copy. The secret itself stands only where it is shown once. */
export const connectionsOf = (appUrl: string, secret: string) => [
  { id: 'env', label: 'Environment', code: `export CDS_API_KEY=${secret}` },
  { id: 'curl', label: 'curl', code: `curl ${appUrl}/api/v1/inventory \\\n  -H "Authorization: Bearer $CDS_API_KEY"` },
  {
    id: 'claude',
    label: 'Claude Code',
    code: `claude mcp add --transport http creators ${appUrl}/api/mcp \\\n  --header "Authorization: Bearer $CDS_API_KEY"`,
  },
  {
    id: 'mcp',
    label: 'Other MCP clients',
    code: JSON.stringify(
      {
        mcpServers: {
          creators: { type: 'http', url: `${appUrl}/api/mcp`, headers: { Authorization: FROM_ENVIRONMENT } },
        },
      },
      null,
      2,
    ),
  },
];

export const keyMadeModel = (appUrl: string, key: Key, secret: string, mandateProblem: string | null) => ({
  name: key.name,
  href: `/developers/keys/${key.id}`,
  secret: { id: 'secret', label: 'Secret of the new key', secret: true, code: secret },
  connections: connectionsOf(appUrl, secret),
  mandateProblem,
});
