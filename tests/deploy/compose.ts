import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { REPOSITORY } from '../../tools/lib/home.js';

type Condition = 'service_healthy' | 'service_completed_successfully';

/** A container of docker-compose.yml, as Compose reads it. */
export type Container = {
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  env_file?: string;
  depends_on?: Record<string, { condition: Condition }>;
  healthcheck?: { test?: string[]; disable?: boolean };
  ports?: string[];
  profiles?: string[];
  volumes?: string[];
  secrets?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  stop_grace_period?: string;
};

export type Compose = {
  services: Record<string, Container>;
  volumes: Record<string, unknown>;
  secrets: Record<string, { file: string }>;
};

/** The text with `${NAME:-default}` and `$$` as Compose replaces them in an environment. */
const interpolated = (text: string, env: Record<string, string>): string =>
  text.replace(/\$\$|\$\{(\w+)(?::-([^}]*))?\}/g, (all, name: string | undefined, fallback = '') =>
    name === undefined ? (all[0] ?? '') : env[name] || fallback,
  );

/** Every text in a document, with its variables replaced; an empty one stays a text. */
const filled = (value: unknown, env: Record<string, string>): unknown => {
  if (typeof value === 'string') return interpolated(value, env);
  if (Array.isArray(value)) return value.map((one) => filled(one, env));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, env)]));
};

/** docker-compose.yml with anchors, merges and variables resolved. */
export const readCompose = (env: Record<string, string> = {}): Compose =>
  filled(parse(readFileSync(join(REPOSITORY, 'docker-compose.yml'), 'utf8'), { merge: true }), env) as Compose;

/** The lines of an environment file. */
export const readEnvFile = (path: string): Record<string, string> =>
  Object.fromEntries(
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
