/**
 * Makes the schemas that kubeconform reads, from the description of the API in the Go module of Kubernetes, and keeps
 * them in the cache with the resources that KEDA, External Secrets and the MongoDB operator define. Needs Go: `node
 * tools/kubernetes-schemas.js`.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { downloadedModule, KUBERNETES } from './lib/engine-sources.ts';
import { Failure, runTool } from './lib/failure.ts';
import { cacheFolders, shortPath } from './lib/home.ts';

const DEFINED = {
  'github.com/kedacore/keda/v2@v2.21.0': 'config/crd/bases/keda.sh_scaledobjects.yaml',
  'github.com/external-secrets/external-secrets@v1.3.2': 'config/crds/bases/external-secrets.io_externalsecrets.yaml',
  'github.com/mongodb/mongodb-kubernetes-operator@v0.13.0':
    'config/crd/bases/mongodbcommunity.mongodb.com_mongodbcommunity.yaml',
};
const REFERENCE = '#/definitions/';

/** A schema that refuses unknown fields, as the API server does with strict validation. */
function strict(value: any): any {
  if (Array.isArray(value)) return value.map(strict);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, one]) => [
    key,
    key === '$ref' && typeof one === 'string' ? one.replace(REFERENCE, '_definitions.json#/definitions/') : strict(one),
  ]);
  const schema = Object.fromEntries(entries);
  if (schema.type === 'object' && schema.properties && typeof schema.properties === 'object')
    schema.additionalProperties ??= false;
  // The description gives these types a form that YAML writes in two ways.
  if (schema.format === 'int-or-string') return { oneOf: [{ type: 'string' }, { type: 'integer' }] };
  return schema;
}

async function folderOf(module: string) {
  const { folder, reason } = await downloadedModule(module);
  if (folder === undefined)
    throw new Failure(`Go could not download ${module}: ${reason}`, ['Install Go, and run this again']);
  return folder;
}

async function main() {
  const folder = await folderOf(`${KUBERNETES.module}@v${KUBERNETES.version}`);
  const { definitions } = JSON.parse(readFileSync(join(folder, 'api/openapi-spec/swagger.json'), 'utf8'));
  definitions['io.k8s.apimachinery.pkg.api.resource.Quantity'] = { oneOf: [{ type: 'string' }, { type: 'number' }] };

  const to = join(cacheFolders()[0], 'kubernetes-schemas');
  mkdirSync(to, { recursive: true });
  writeFileSync(join(to, '_definitions.json'), JSON.stringify({ definitions: strict(definitions) }));
  let count = 0;
  for (const [name, definition] of Object.entries<any>(definitions)) {
    for (const { group, version, kind } of definition['x-kubernetes-group-version-kind'] ?? []) {
      if (kind.endsWith('Options')) continue;
      const suffix = [group.split('.')[0], version].filter(Boolean).join('-');
      const schema = { $ref: `_definitions.json${REFERENCE}${name}` };
      writeFileSync(join(to, `${kind}-${suffix}.json`.toLowerCase()), JSON.stringify(schema));
      count += 1;
    }
  }
  mkdirSync(join(to, 'defined'), { recursive: true });
  for (const [module, file] of Object.entries(DEFINED))
    copyFileSync(join(await folderOf(module), file), join(to, 'defined', basename(file)));
  console.log(`${count} schemas in ${shortPath(to)}`);
}

runTool(main);
