import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Home, openHome, REPOSITORY, writePrivate } from './home.ts';
import { DURABLE, natsConfig } from './nats.ts';
import { openSecrets } from './secrets.ts';
import { type Contracts, environmentOf } from './service-environment.ts';

export type Pairs = Awaited<ReturnType<typeof pairs>>;

/** The variables whose values are secrets; everything else of an environment may be read by anyone. */
export const SECRET = new Set([
  'CDS_AUDIT_KEY',
  'CDS_CREATOR_LINK_KEYS',
  'CDS_CTX_KEYS',
  'CDS_IDENTITY_MONGODB_URI',
  'CDS_KEY_PEPPERS',
  'CDS_MAIL_RELAY_TOKEN',
  'CDS_MONGODB_URI',
  'CDS_NATS_PASSWORD',
  'CDS_OPS_TOKEN',
  'CDS_PAY_FORM_KEY',
  'CDS_PAY_TOKEN_KEYS',
  'CDS_RECEIPT_KEYS',
  'CDS_SANDBOX_RAIL_SECRET',
  'CDS_SEAL_KEYS',
  'CDS_SMTP_URL',
  'CDS_STRIPE_SECRET_KEY',
  'CDS_STRIPE_WEBHOOK_SECRETS',
  'CDS_X_BEARER_TOKEN',
]);
/** On Kubernetes the operator of MongoDB makes the connection strings. */
const OF_THE_OPERATOR = new Set(['CDS_MONGODB_URI', 'CDS_IDENTITY_MONGODB_URI']);

const BUS_ADMIN = 'bus-admin';
/** The user with which the bus is backed up and restored; it may not read a request or an answer. */
const BACKUP = { user: 'backup', permissions: { publish: ['$JS.>'], subscribe: ['_INBOX.>'] } };
const DATABASE_USERS_BESIDES = ['catalog_identity'];

/** The services and who calls whom, from the sources: nothing has to be installed or built for them. */
export async function pairs() {
  const source = pathToFileURL(join(REPOSITORY, 'libs', 'contracts', 'src', 'service.ts')).href;
  const { SERVICES, CALLS } = await import(source);
  return {
    services: SERVICES as readonly string[],
    calls: CALLS as Record<string, readonly string[]>,
    busAdmin: BUS_ADMIN,
  };
}

/** Writes one file of secrets for each process, and those of the engines, into a folder: once made, a value stays. */
export async function writeDeploymentSecrets({ folder, target }: { folder: string; target: 'compose' | 'kubernetes' }) {
  const home = openHome(folder);
  const secrets = openSecrets(home);
  const contracts = await pairs();
  const compose = target === 'compose';
  const settings = {
    home: { ...home, folder: () => '' },
    contracts: contracts as unknown as Contracts,
    secrets,
    databases: 'mongodb://mongodb:27017/?replicaSet=cds',
    bus: (service: string) => ({ url: '', password: secrets.servicePassword(`nats_${service}`) }),
    environment: 'production',
    appUrl: () => '',
    opsPort: 0,
    httpPort: 0,
  };
  const processes = [BUS_ADMIN, ...contracts.services];
  for (const name of processes) {
    const own = Object.entries(environmentOf(name, settings)).filter(
      ([variable]) => SECRET.has(variable) && (compose || !OF_THE_OPERATOR.has(variable)),
    );
    write(home, `${name}.env`, own);
  }
  write(
    home,
    'nats.env',
    [...processes, BACKUP.user].map((name) => [passwordVariable(name), secrets.servicePassword(`nats_${name}`)]),
  );
  const users = [...contracts.services, ...DATABASE_USERS_BESIDES];
  if (compose) {
    const root = secrets.values.mongodb_root_password;
    write(home, 'mongodb.env', [['MONGO_INITDB_ROOT_PASSWORD', root]]);
    write(home, 'migration.env', [
      ['MONGODB_ROOT_URI', `mongodb://root:${root}@mongodb:27017/?authSource=admin&directConnection=true`],
      ['MONGODB_PASSWORDS', JSON.stringify(Object.fromEntries(users.map((u) => [u, secrets.servicePassword(u)])))],
    ]);
    writePrivate(home.at('mongodb.key'), secrets.values.mongodb_key_file);
  } else {
    write(
      home,
      'mongodb.env',
      [...users, BACKUP.user].map((user) => [user.replace('_', '-'), secrets.servicePassword(user)]),
    );
  }
  return home.root;
}

function write(home: Home, name: string, variables: readonly (readonly string[])[]) {
  writePrivate(home.at(name), variables.map(([variable, value]) => `${variable}=${value}\n`).join(''));
}

const passwordVariable = (user: string) => `NATS_PASSWORD_${user.toUpperCase().replaceAll('-', '_')}`;

/**
 * The files with the users of the bus and what each may do, by their paths. Passwords stay in the server's environment.
 */
export function busFiles(contracts: Contracts): Record<string, string> {
  const users = [
    { user: contracts.busAdmin, permissions: contracts.busAdminPermissions() },
    ...contracts.services.map((user) => ({ user, permissions: contracts.natsPermissions(user) })),
    BACKUP,
  ];
  const config = (reference: (variable: string) => string) =>
    natsConfig({
      store: '/data',
      jetstream: DURABLE,
      users: users.map((one) => ({ ...one, password: reference(`$${passwordVariable(one.user)}`) })),
    });
  const compose = {
    server_name: 'cds0',
    host: '0.0.0.0',
    port: 4222,
    http_port: 8222,
    ...config((variable) => variable),
  };
  const bare = JSON.stringify(compose, null, 2).replace(/"(\$NATS_PASSWORD_\w+)"/g, '$1');
  const { authorization, max_payload } = config((variable) => `<< ${variable} >>`);
  const merge = { max_payload, authorization };
  const env = Object.fromEntries(
    users.map(({ user }) => [
      passwordVariable(user),
      { valueFrom: { secretKeyRef: { name: 'nats', key: passwordVariable(user) } } },
    ]),
  );
  const note = '# Made by `npm run generate` from who calls whom (libs/contracts/src/permissions.ts).\n';
  return {
    'deploy/compose/nats.conf': `${note}${bare}\n`,
    // JSON is YAML, and a reader sees what each user may do line by line.
    'deploy/k8s/nats/users.yaml': `${note}${JSON.stringify({ config: { merge }, container: { env } }, null, 2)}\n`,
  };
}
