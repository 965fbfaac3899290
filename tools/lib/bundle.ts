/**
 * One file per service, from the compiled sources and their packages. Loading a thousand small modules is most of what
 * the start of a process costs (ADR 0020).
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import { REPOSITORY } from './home.ts';

/** Packages that others load only when they are there, and that are not. */
const NOT_INSTALLED = [
  '@aws-sdk/credential-providers',
  '@fastify/multipart',
  '@fastify/static',
  '@fastify/view',
  '@mongodb-js/zstd',
  '@nestjs/platform-express',
  '@nestjs/websockets/*',
  'amqp-connection-manager',
  'class-transformer',
  'class-validator',
  'gcp-metadata',
  'ioredis',
  'kafkajs',
  'kerberos',
  'mongodb-client-encryption',
  'mqtt',
  'snappy',
  'socks',
];

/** Packages that are loaded late, from where they are installed, since they read files beside their own. */
const LOADED_LATE = ['fontkit', 'oidc-provider', 'pdfkit'];

export const bundleOf = (service: string) => join('services', service, 'dist', 'bundle', 'main.js');

/** Where V8 keeps the compiled code of a service's bundle; it goes with the bundle. */
export const compileCacheOf = (service: string) => join(REPOSITORY, dirname(bundleOf(service)), 'compiled');

/** Bundles every service when compiled sources or packages have changed since. */
export async function bundleServices() {
  const services = foldersOf('services').filter((service) => changedAt(mainOf(service)) > 0);
  // Noted before anything is read: what changes meanwhile is bundled the next time.
  const inputs = stateOfInputs();
  if (services.every((service) => changedAt(bundleOf(service)) > 0 && read(stampOf(service)) === inputs)) return;

  const { build, stop } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: services.map((service) => ({
      in: join(REPOSITORY, mainOf(service)),
      out: bundleOf(service).replace(/\.js$/, ''),
    })),
    outdir: REPOSITORY,
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    logLevel: 'silent',
    minifyWhitespace: true,
    legalComments: 'none',
    // A stack trace names a line, which should not be the whole file.
    lineLimit: 200,
    external: [...NOT_INSTALLED, ...LOADED_LATE],
    plugins: [ownFolders],
    // Its UMD build has no default export once it is bundled.
    alias: { tslib: join(REPOSITORY, 'node_modules', 'tslib', 'tslib.es6.mjs') },
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
  });
  await stop();
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    rmSync(join(dirname(path), 'compiled'), { recursive: true, force: true });
    // A service that starts meanwhile reads the old file or the new one, whole.
    writeFileSync(`${path}.${process.pid}`, inAscii(text));
    renameSync(`${path}.${process.pid}`, path);
  }
  for (const service of services) writeFileSync(join(REPOSITORY, stampOf(service)), inputs);
}

/** V8 keeps ASCII in one byte per character. The bundler escapes strings; regular expressions take the same escapes. */
const inAscii = (source: string) =>
  source.replace(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

function stateOfInputs() {
  const compiled = ['libs', 'services'].flatMap((room) =>
    foldersOf(room).map((name) => join(room, name, 'tsconfig.tsbuildinfo')),
  );
  const inputs = [...compiled, 'node_modules/.package-lock.json', 'tools/lib/bundle.ts'];
  return JSON.stringify(inputs.map((path) => [path, changedAt(path)]));
}

const stampOf = (service: string) => join(dirname(bundleOf(service)), 'inputs.json');

const read = (path: string) => (changedAt(path) > 0 ? readFileSync(join(REPOSITORY, path), 'utf8') : '');

const mainOf = (service: string) => join('services', service, 'dist', 'main.js');

const foldersOf = (room: string) => readdirSync(join(REPOSITORY, room));

/** When a file of the repository was changed; 0 when it is missing. */
const changedAt = (path: string) => statSync(join(REPOSITORY, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Modules that read files beside them do so from their own folder. All bundles are equally deep. */
const ownFolders: Plugin = {
  name: 'own folders',
  setup(build) {
    build.onLoad({ filter: /[\\/](libs|services)[\\/][\w-]+[\\/]dist[\\/].*\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      if (!source.includes('import.meta.dirname')) return undefined;
      const from = join(REPOSITORY, dirname(bundleOf(relative(REPOSITORY, path).split(/[\\/]/)[1] ?? '')));
      const own = `(import.meta.dirname + ${JSON.stringify(`/${relative(from, dirname(path))}`)})`;
      return { contents: source.replaceAll('import.meta.dirname', own), loader: 'js' };
    });
  },
};
