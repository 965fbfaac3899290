import { Argument, type Command } from 'commander';
import type { World } from './world.js';

type Node = { path: string; words: string[]; description: string };

const optionsOf = (command: Command): string[] =>
  command.options.flatMap(({ long }) => (long === undefined || long === null ? [] : [long]));

export const nodesOf = (program: Command): Node[] => {
  const nodes: Node[] = [];
  const visit = (command: Command, path: string) => {
    const names = command.commands.flatMap((one) => [one.name(), ...one.aliases()]);
    nodes.push({
      path,
      words: [...names, ...optionsOf(command), ...optionsOf(program), '--help'],
      description: command.description(),
    });
    for (const one of command.commands)
      for (const name of [one.name(), ...one.aliases()]) visit(one, `${path} ${name}`);
  };
  visit(program, program.name());
  return nodes.map((node) => ({ ...node, words: [...new Set(node.words)] }));
};

const cases = (nodes: readonly Node[]): string =>
  nodes.map(({ path, words }) => `    "${path}") words="${words.join(' ')}" ;;`).join('\n');

const bash = (nodes: readonly Node[]): string => `_cds() {
  local current path words word
  current="\${COMP_WORDS[COMP_CWORD]}"
  path="cds"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
${nodes.map(({ path }) => `      "${path}") path="${path}" ;;`).join('\n')}
    esac
  done
  case "$path" in
${cases(nodes)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _cds cds
`;

const zsh = (nodes: readonly Node[]): string => `#compdef cds
_cds() {
  local path_of word words_of
  path_of="cds"
  for word in "\${words[@]:1:CURRENT-2}"; do
    case "$path_of $word" in
${nodes.map(({ path }) => `      "${path}") path_of="${path}" ;;`).join('\n')}
    esac
  done
  case "$path_of" in
${cases(nodes).replaceAll(' words=', ' words_of=')}
  esac
  compadd -- \${=words_of}
}
if [ "$funcstack[1]" = "_cds" ]; then _cds "$@"; else compdef _cds cds; fi
`;

const quoted = (text: string): string => `'${text.replace(/\\/g, '\\\\').replace(/'/g, "\\'")}'`;

const fish = (program: Command): string => {
  const lines = ['complete -c cds -f'];
  const visit = (command: Command, above: readonly string[], siblings: readonly string[]) => {
    const inside = above.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ');
    for (const one of command.commands) {
      const here = `not __fish_seen_subcommand_from ${siblings.join(' ')}`;
      const when = inside === '' ? here : `${inside}; and ${here}`;
      lines.push(`complete -c cds -n ${quoted(when)} -a ${one.name()} -d ${quoted(one.description())}`);
      const path = [...above, one.name()];
      const within = path.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ');
      for (const option of one.options)
        if (option.long !== undefined && option.long !== null)
          lines.push(
            `complete -c cds -n ${quoted(within)} -l ${option.long.slice(2)} -d ${quoted(option.description)}${option.required ? ' -r' : ''}`,
          );
      visit(
        one,
        path,
        one.commands.map((sub) => sub.name()),
      );
    }
  };
  visit(
    program,
    [],
    program.commands.map((one) => one.name()),
  );
  return `${lines.join('\n')}\n`;
};

const SHELLS = ['bash', 'zsh', 'fish'];

export const completionOf = (program: Command, shell: string): string => {
  if (shell === 'fish') return fish(program);
  const nodes = nodesOf(program);
  return shell === 'zsh' ? zsh(nodes) : bash(nodes);
};

export const addCompletion = (program: Command, world: World): void => {
  program
    .command('completion')
    .description('Print a completion script: source <(cds completion bash)')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action((shell: string) => world.out(completionOf(program, shell)));
};
