import type { Home } from './home.ts';
import { userUri } from './mongo-users.ts';
import type { NatsUser, Permissions } from './nats.ts';
import type { Secrets } from './secrets.ts';

export type Contracts = Awaited<ReturnType<typeof loadContracts>>;
/** What the environment of a service is made of; `env` is the same for all, `envOf` is asked at each start. */
export type Settings = {
  home: Home;
  contracts: Contracts;
  secrets: Secrets;
  databases: string;
  bus: (service: string) => { url: string; user?: string; password?: string };
  prefix?: string;
  environment: string;
  env?: Record<string, string>;
  envOf?: (service: string) => Record<string, string>;
  failpoints?: Record<string, string>;
  appUrl: (port?: number) => string;
};

const PASSED_ON =
  /^(PATH|HOME|TZ|NODE_OPTIONS|CDS_LOG_LEVEL|CDS_FAILPOINTS|CDS_ALLOWED_HOSTS|CDS_TRUSTED_PROXIES|CDS_SMTP_URL|CDS_MAIL_FROM|CDS_WEBHOOK_ALLOW_LOOPBACK|CDS_OTEL_.*)$/;

// Stripe's keys open the money, so no other service gets them.
const OF_BILLING = /^CDS_(STRIPE|SELLER)_/;

/** The services and who may call whom and what, from the contracts, so readable only after the build. */
export async function loadContracts() {
  const { SERVICES, CALLS, BUS_ADMIN, natsPermissions, busAdminPermissions } = await import('@cds/contracts');
  return {
    services: SERVICES as readonly string[],
    calls: CALLS as Record<string, readonly string[]>,
    busAdmin: BUS_ADMIN,
    natsPermissions: natsPermissions as (service: string) => Permissions,
    busAdminPermissions,
  };
}

/** A user per service, and the one that may create and change streams and durables. */
export function natsUsers({ contracts, secrets }: { contracts: Contracts; secrets: Secrets }): NatsUser[] {
  const one = (user: string, permissions: Permissions) => ({
    user,
    password: secrets.servicePassword(`nats_${user}`),
    permissions,
  });
  return [
    one(contracts.busAdmin, contracts.busAdminPermissions()),
    ...contracts.services.map((service) => one(service, contracts.natsPermissions(service))),
  ];
}

function passedOn(names: RegExp): Record<string, string> {
  const named = Object.entries(process.env).filter(([name]) => names.test(name));
  return Object.fromEntries(named.map(([name, value]) => [name, value ?? '']));
}

/** The whole environment of a service, and nothing else of what this process knows. */
export function environmentOf(
  service: string,
  {
    home,
    contracts,
    secrets,
    databases,
    bus,
    prefix = '',
    environment,
    env = {},
    envOf = () => ({}),
    failpoints = {},
    appUrl,
    opsPort,
    httpPort,
  }: Settings & { opsPort: number; httpPort: number | undefined },
): Record<string, string> {
  const { url, user, password } = bus(service);
  const shared: Record<string, string> = {
    CDS_LOG_LEVEL: 'info',
    ...passedOn(PASSED_ON),
    CDS_NATS_URL: url,
    CDS_NATS_USER: user ?? '',
    CDS_NATS_PASSWORD: password ?? '',
    CDS_OPS_HOST: '127.0.0.1',
    CDS_OPS_PORT: String(opsPort),
  };
  // It has no database and signs nothing, so it gets neither.
  if (service === contracts.busAdmin) return { ...shared, ...env };
  const values = secrets.values;
  const callers = contracts.services.filter((caller) => contracts.calls[caller].includes(service));
  const database = (who: string) => userUri(databases, `${prefix}${who}`, secrets.servicePassword(who));
  const own: Record<string, Record<string, string>> = {
    gateway: {
      CDS_HTTP_HOST: '127.0.0.1',
      CDS_HTTP_PORT: String(httpPort),
      CDS_APP_URL: appUrl(httpPort),
      CDS_KEY_PEPPERS: JSON.stringify(values.key_peppers),
      CDS_SEAL_KEYS: JSON.stringify(values.seal_keys),
      CDS_OPS_TOKEN: values.ops_token,
      CDS_MAIL_RELAY_TOKEN: values.relay_token,
    },
    catalog: {
      CDS_APP_URL: appUrl(),
      CDS_IDENTITY_MONGODB_URI: database('catalog_identity'),
      CDS_IDENTITY_DB: `${prefix}cds_identity`,
    },
    billing: {
      CDS_APP_URL: appUrl(),
      CDS_SANDBOX_RAIL_SECRET: values.sandbox_rail_secret,
      CDS_PAY_TOKEN_KEYS: JSON.stringify(values.pay_token_keys),
      CDS_PAY_FORM_KEY: values.pay_form_key,
      CDS_RECEIPT_KEYS: JSON.stringify(values.receipt_keys),
      ...passedOn(OF_BILLING),
    },
    proposals: {
      CDS_APP_URL: appUrl(),
      CDS_CREATOR_LINK_KEYS: JSON.stringify(values.creator_link_keys),
    },
  };
  return {
    ...shared,
    CDS_ENV: environment,
    CDS_AUDIT_DIR: home.folder('audit'),
    CDS_AUDIT_KEY: secrets.auditKey(service),
    CDS_MONGODB_URI: database(service),
    CDS_MONGODB_DB: `${prefix}cds_${service}`,
    CDS_CTX_KEYS: JSON.stringify({
      to: Object.fromEntries(contracts.calls[service].map((callee) => [callee, secrets.contextKey(service, callee)])),
      from: Object.fromEntries(callers.map((caller) => [caller, secrets.contextKey(caller, service)])),
    }),
    ...own[service],
    ...(failpoints[service] && { CDS_FAILPOINTS: failpoints[service] }),
    ...env,
    ...envOf(service),
  };
}
