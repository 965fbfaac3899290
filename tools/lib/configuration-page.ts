/** docs/configuration.md: every variable of every process, from the schemas that read them. */

export type Variable = {
  name: string;
  required: boolean;
  fallback: string | null;
  values: readonly string[] | null;
  description: string;
  secret: boolean;
};

const OPENING = `# Configuration

Every variable that a process reads from its environment. This page is made by \`npm run generate\` from the schemas
(\`services/*/src/config.ts\` and \`libs/service/src/config\`). A process reads its environment once, when it starts; if
anything is missing or wrong, it reports every problem in one message and ends.

A variable without a default must be set. *Secret* means: keep it in a secret store, as
[rotation](operating.md#secrets-and-their-rotation) says. \`npm run deploy:secrets\` makes those that nobody else gives
you.
`;

const row = ({ name, required, fallback, values, description, secret }: Variable) => {
  const fallen = required ? '' : fallback === '' ? 'empty' : `\`${fallback}\``;
  const choice = values === null ? '' : ` One of ${values.join(', ')}.`;
  return `| \`${name}\` | ${fallen} | ${secret ? '*Secret.* ' : ''}${`${description}${choice}`.replaceAll('|', '\\|')} |`;
};

const table = (variables: readonly Variable[]) =>
  ['| variable | default | meaning |', '|---|---|---|', ...variables.map(row)].join('\n');

/** The page: what all processes read, what all services read as well, and what each process reads alone. */
export function configurationPage(ofProcess: Readonly<Record<string, readonly Variable[]>>) {
  const processes = Object.keys(ofProcess);
  const services = processes.filter((name) => name !== 'bus-admin');
  const isIn = (of: readonly string[], name: string) =>
    of.every((one) => ofProcess[one].some((variable) => variable.name === name));
  const [any] = services;
  const common = ofProcess[any].filter(({ name }) => isIn(processes, name));
  const ofServices = ofProcess[any].filter(({ name }) => isIn(services, name) && !isIn(processes, name));
  const own = processes.map((name) => ({
    name,
    variables: ofProcess[name].filter((one) => ![...common, ...ofServices].some((other) => other.name === one.name)),
  }));
  const none = own.filter(({ variables }) => variables.length === 0).map(({ name }) => name);
  return [
    OPENING,
    `## Every process\n\n${table(common)}\n`,
    `## Every service\n\n${table(ofServices)}\n`,
    ...own
      .filter(({ variables }) => variables.length > 0)
      .map(({ name, variables }) => `## ${name[0].toUpperCase()}${name.slice(1)}\n\n${table(variables)}\n`),
    `${none.map((name) => name[0].toUpperCase() + name.slice(1)).join(', ')} have no variables of their own.\n`,
  ].join('\n');
}
