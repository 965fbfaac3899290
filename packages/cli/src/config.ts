import { homedir, hostname } from 'node:os';
import { join } from 'node:path';

export type Config = {
  url: string | undefined;
  key: string | undefined;
  noColor: boolean;
  folder: string;
  /** This machine's name, which says in Developers where a sign-in came from. */
  host: string;
};

type Environment = Readonly<Record<string, string | undefined>>;

const given = (value: string | undefined): string | undefined =>
  value === undefined || value === '' ? undefined : value;

/** The platform's folder for settings: XDG_CONFIG_HOME, Application Support or APPDATA. */
export const configFolder = (environment: Environment, platform: string, home: string): string => {
  if (platform === 'win32') return join(given(environment['APPDATA']) ?? join(home, 'AppData', 'Roaming'), 'cds');
  const own = given(environment['XDG_CONFIG_HOME']);
  if (own !== undefined) return join(own, 'cds');
  return platform === 'darwin' ? join(home, 'Library', 'Application Support', 'cds') : join(home, '.config', 'cds');
};

export const readConfig = (environment: Environment = process.env): Config => ({
  url: given(environment['CDS_URL']),
  key: given(environment['CDS_API_KEY']),
  noColor: given(environment['NO_COLOR']) !== undefined,
  folder: configFolder(environment, process.platform, homedir()),
  host: hostname(),
});
