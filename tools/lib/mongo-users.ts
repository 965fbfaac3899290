import { Failure } from './failure.ts';
import { mongoClient, withAdmin } from './mongo-client.ts';

/** Each service uses its own databases; catalog's second user the creators' identities and the catalog. */
function grants(services: readonly string[], prefix: string) {
  const own = services.map((service) => ({ user: service, databases: [`cds_${service}`] }));
  return [...own, { user: 'catalog_identity', databases: ['cds_identity', 'cds_catalog'] }].map(
    ({ user, databases }) => ({
      user: `${prefix}${user}`,
      roles: databases.map((name) => ({ role: 'readWrite', db: `${prefix}${name}` })),
    }),
  );
}

/** Creates or updates the database user of every service; `password` takes its name without the prefix. */
export async function ensureServiceUsers({
  uri,
  services,
  prefix = '',
  password,
}: {
  uri: string;
  services: readonly string[];
  prefix?: string;
  password: (user: string) => string;
}) {
  await withAdmin(uri, async (admin) => {
    for (const { user, roles } of grants(services, prefix)) {
      const { users } = await admin.command({ usersInfo: user });
      const command = users.length > 0 ? 'updateUser' : 'createUser';
      await admin.command({ [command]: user, pwd: password(user.slice(prefix.length)), roles });
    }
  });
}

/** Removes everything a prefixed stack left in a shared mongod: its databases and its users. */
export async function dropPrefixed({
  uri,
  services,
  prefix,
}: {
  uri: string;
  services: readonly string[];
  prefix: string;
}) {
  if (!prefix) throw new Error('Only databases with a prefix are dropped.');
  const users = grants(services, prefix);
  const client = await mongoClient(uri);
  const databases = new Set(users.flatMap(({ roles }) => roles.map(({ db }) => db)));
  for (const name of databases) await client.db(name).dropDatabase();
  const admin = client.db('admin');
  for (const { user } of users) await admin.command({ dropUser: user }).catch(() => {});
  await client.close();
}

/** The URI of one user at the address of another URI, with that one's options. */
export function userUri(uri: string, user: string, password: string) {
  const parts = /^(mongodb(?:\+srv)?):\/\/(?:[^@/]*@)?([^/?]+)(?:\/[^?]*)?(?:\?(.*))?$/.exec(uri);
  if (parts === null)
    throw new Failure('The MongoDB URI is malformed.', ['Write mongodb://user:password@host:27017/?replicaSet=name']);
  const [, scheme, hosts, query] = parts;
  const options = new URLSearchParams(query);
  options.set('authSource', 'admin');
  return `${scheme}://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${hosts}/?${options}`;
}
