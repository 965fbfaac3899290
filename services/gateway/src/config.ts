import { HttpUrl, ipAddressOf, KeyRingOf, Keys32Bytes, readEnvironment, secret, serviceVariables } from '@cds/service';
import { z } from 'zod';

const List = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((one) => one.trim().toLowerCase())
      .filter((one) => one !== ''),
  );

/** What is wrong with an entry; to trust every address would let any caller choose the one it counts as. */
const trustedProxyProblem = (entry: string): string | null => {
  const [address = '', prefix, ...more] = entry.split('/');
  const longest = address.includes(':') ? 128 : 32;
  const read = address.includes('%') ? null : ipAddressOf(address);
  if (read === null || more.length > 0)
    return `"${entry}" is not a CIDR range. Write ranges as 10.0.0.0/8 or fd00::/8, separated by commas.`;
  if (longest === 128 && 'v4' in read) return `"${entry}" is IPv4 inside IPv6. Write it as ${read.v4} with its prefix.`;
  if (prefix === undefined) return null;
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > longest)
    return `"${entry}" has an invalid prefix length. Write a whole number from 1 to ${longest} after the slash.`;
  if (Number(prefix) === 0) return `"${entry}" trusts every address. List only the ranges of your own proxies.`;
  return null;
};

const TrustedProxies = List.superRefine((entries, ctx) => {
  for (const entry of entries) {
    const message = trustedProxyProblem(entry);
    if (message !== null) ctx.addIssue({ code: 'custom', message });
  }
});

/** Host headers; an address with a scheme or a path would match none of them. */
const Hosts = List.refine(
  (hosts) => hosts.every((host) => /^[^\s/]+$/.test(host)),
  'must be hosts as app.example.com or app.example.com:8443, without https:// and without a path',
);

const Settings = z.object({
  CDS_HTTP_HOST: z.string().default('127.0.0.1').describe('The address that the HTTP server listens on.'),
  CDS_HTTP_PORT: z.coerce.number().int().min(0).max(65_535).describe('Its port; 0 takes a free one.'),
  CDS_APP_URL: HttpUrl.transform((url) => url.replace(/\/+$/, '')).describe('The root URL that callers see.'),
  CDS_KEY_PEPPERS: secret(KeyRingOf).describe(
    'The peppers of the secrets of API keys and operator tokens, by version: JSON of {"1": key}, keys in base64. The highest makes new keys, and all of them verify keys.',
  ),
  CDS_SEAL_KEYS: secret(Keys32Bytes).describe(
    'The AES-256-GCM keys that seal secrets at rest, of 32 bytes, by version: the highest seals, all of them open.',
  ),
  CDS_SMTP_URL: secret(
    z
      .string()
      .regex(/^(smtps?:\/\/.+)?$/, 'must begin with smtp:// or smtps://')
      .default(''),
  ).describe('Where mail is handed over, as smtps://user:password@host. Empty: the mail relay fetches messages.'),
  CDS_MAIL_RELAY_TOKEN: secret(
    z
      .string()
      .regex(/^([!-~]{32,})?$/, 'must be at least 32 characters without spaces')
      .default(''),
  ).describe(
    'The token of the mail relay, the only caller that is given messages with their links. Without effect while CDS_SMTP_URL is set; empty: nobody is given them.',
  ),
  CDS_MAIL_FROM: z.email().default('no-reply@localhost.localdomain').describe('The sender of that mail.'),
  CDS_OPS_TOKEN: secret(z.string().min(16)).describe("The token of the operator's first scripts."),
  CDS_ALLOWED_HOSTS: Hosts.describe(
    'The Host headers that are accepted, with commas between. Empty: that of CDS_APP_URL, and loopback.',
  ),
  CDS_TRUSTED_PROXIES: TrustedProxies.describe(
    'The CIDR ranges of the proxies in front, with commas between: X-Forwarded-For is believed from these alone.',
  ),
  CDS_WEBHOOK_ALLOW_LOOPBACK: z
    .enum(['0', '1'])
    .default('0')
    .describe('1 lets webhook endpoints be on this machine, by http too. Production refuses to start with it.'),
});

export const variables = serviceVariables('gateway', Settings);

const Own = Settings.extend({ CDS_ENV: z.string().default('production') })
  // Requests to the own machine reach what only the machine may reach.
  .refine((own) => own.CDS_ENV !== 'production' || own.CDS_WEBHOOK_ALLOW_LOOPBACK === '0', {
    path: ['CDS_WEBHOOK_ALLOW_LOOPBACK'],
    message: 'must not be 1 in production (CDS_ENV)',
  })
  // Scripts of the team hold the other one, and would be given every sign-in link with it.
  .refine((own) => own.CDS_MAIL_RELAY_TOKEN !== own.CDS_OPS_TOKEN, {
    path: ['CDS_MAIL_RELAY_TOKEN'],
    message: 'must differ from CDS_OPS_TOKEN',
  });

export const readConfig = (env: Record<string, string | undefined> = process.env) =>
  readEnvironment('gateway', Own, env);

export type GatewayConfig = z.output<typeof Settings>;
