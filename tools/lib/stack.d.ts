/** The library behind `npm start` and `npm test`, as tests see it. Plain JavaScript; these types are written by hand. */

export interface Keeper {
  readonly name: string;
  readonly pid: number | undefined;
  /** Path of the log file. */
  readonly log: string | undefined;
  /** The last lines the present process wrote. */
  said(count: number): string[];
  isAlive(): boolean;
  /** Ends it in order (SIGTERM), for certain after its grace. */
  stop(): Promise<void>;
  /** SIGKILL; answers when the process is gone. */
  kill(): Promise<void>;
  /** Stops it if it lives, starts it and waits until it serves. */
  restart(): Promise<void>;
  /** SIGSTOP. */
  pause(): void;
  /** SIGCONT. */
  resume(): void;
}

export interface Mongod extends Keeper {
  /** URI of the root user. */
  readonly uri: string;
  readonly port: number;
  /** True when the folder held data before this start. */
  readonly hadData: boolean;
}

export interface Nats extends Keeper {
  /** Address without user. */
  readonly url: string;
  /** Address with the root user. */
  readonly rootUrl: string;
  readonly port: number;
  readonly version: string;
}

export interface ServiceProcess extends Keeper {
  /** Port of /livez, /readyz and /metrics. */
  opsPort(): number | undefined;
  whenReady(): Promise<void>;
}

export interface EngineOptions {
  /** Folder for data, secrets, logs and state. */
  home: string;
  binary: string;
  port?: number;
  supervise?: boolean;
  onDied?: (name: string, how: string, delayMs: number, log: string) => void;
}

export interface NatsUser {
  user: string;
  password: string;
  permissions?: { publish: readonly string[]; subscribe: readonly string[] };
}

/** Several mongod as one replica set with authentication; `uri` is that of the root user. */
export interface ReplicaSet {
  readonly uri: string;
  readonly members: readonly (Keeper & { readonly port: number })[];
  /** The member that leads now; waits while there is none. */
  primary(): Promise<Keeper & { readonly port: number }>;
  /** Makes the primary hand over to another member. */
  stepDown(): Promise<void>;
  stop(): Promise<void>;
}

/** Three members unless said otherwise. */
export function startReplicaSet(options: { home: string; binary: string; members?: number }): Promise<ReplicaSet>;
export function startMongod(options: EngineOptions): Promise<Mongod>;
/** Without `users` the server has those of the six services and of bus-admin, beside root. */
export function startNats(options: EngineOptions & { users?: readonly NatsUser[] }): Promise<Nats>;

/** Makes or corrects the database users of the services, `<prefix><service>` and `<prefix>catalog_identity`, each limited to its `<prefix>cds_*` databases. */
export function ensureServiceUsers(options: {
  uri: string;
  services: readonly string[];
  prefix?: string;
  password: (user: string) => string;
}): Promise<void>;
/** Drops the databases and users of a prefix. */
export function dropPrefixed(options: { uri: string; services: readonly string[]; prefix: string }): Promise<void>;

export interface SeededKey {
  name: string;
  id: string;
  secret: string;
  scopes: string[];
  mandate: unknown;
}

export interface SeededWorkspace {
  name: string;
  kind: string;
  id: string;
  keys: SeededKey[];
}

export interface StackOptions {
  /** A running mongod; CDS_TEST_MONGODB_URI when left out. */
  mongod?: { uri: string };
  /** CDS_TEST_NATS_BIN when left out. */
  natsBinary?: string;
  /** Begins the names of all databases and database users; a new one when left out. */
  prefix?: string;
  /** A new folder under CDS_TEST_HOME when left out. */
  home?: string;
  /** Processes per service, one when left out. */
  replicas?: Record<string, number>;
  /** Added to the environment of every service. */
  env?: Record<string, string>;
  /** CDS_FAILPOINTS per service. */
  failpoints?: Record<string, string>;
  /** Start dead processes again, as `npm start` does. */
  supervise?: boolean;
  onDied?: EngineOptions['onDied'];
}

export interface Stack {
  readonly appUrl: string;
  readonly apiUrl: string;
  readonly mcpUrl: string;
  readonly guestMcpUrl: string;
  readonly opsUrl: string;
  /** One address per gateway process; `appUrl` is the first. */
  readonly appUrls: readonly string[];
  readonly opsToken: string;
  /** URI of the root user. */
  readonly mongodbUri: string;
  /** Address with the root user. */
  readonly natsUrl: string;
  readonly nats: Nats;
  /** Everything a service is told: its bus and database users, its context keys, its secrets. */
  environmentOf(service: string): Record<string, string>;
  readonly prefix: string;
  readonly home: string;
  /** By service; `bus-admin` is one of them. */
  readonly services: Readonly<Record<string, readonly ServiceProcess[]>>;
  whenReady(): Promise<void>;
  kill(service: string, index?: number): Promise<void>;
  /** Starts a dead or living process again and waits until it is ready. */
  restartService(service: string, index?: number): Promise<void>;
  /** Stops everything and drops the prefix's databases and users, unless `keepData`. */
  stop(options?: { keepData?: boolean }): Promise<void>;
}

export function startStack(options?: StackOptions): Promise<Stack>;
export function seedBrand(
  stack: Stack,
  brand: { name: string; audience?: string | null; sandbox?: string | null; replaceKeys?: boolean },
): Promise<SeededWorkspace[]>;
export function seedNetwork(
  stack: Stack,
  network?: { creators?: number; seed?: number },
): Promise<{ creators: number; seed: number }>;
