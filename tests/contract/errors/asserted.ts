import { parseSync } from '@swc/core';

/** A node of a syntax tree, as the parser gives it. */
type Node = { type: string; [field: string]: unknown };
/** A test of a suite: the function that it runs, and the rows that `each` runs it with. */
type Test = { run: Node; rows: Node | null };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

const childrenOf = (value: unknown): Node[] => {
  if (Array.isArray(value)) return value.flatMap((one) => (isNode(one) ? [one] : childrenOf(one)));
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((one) => (isNode(one) ? [one] : childrenOf(one)));
};

/** A node with everything below it. */
const within = (node: Node): Node[] => [node, ...childrenOf(node).flatMap(within)];

const textOf = (node: unknown): string | null => {
  if (!isNode(node)) return null;
  if (node.type === 'StringLiteral') return String(node['value']);
  if (node.type !== 'TemplateLiteral' || (node['expressions'] as unknown[]).length > 0) return null;
  return String((node['quasis'] as { cooked?: string }[])[0]?.cooked);
};

/** The literals of which one must be compared with. */
export type Words = readonly string[];

const says = (node: Node, words: Words): boolean => within(node).some((one) => words.includes(textOf(one) ?? ''));

const nameOf = (node: unknown): string | null =>
  isNode(node) && node.type === 'Identifier' ? String(node['value']) : null;

/** The names that code uses; properties of objects do not count. */
const namesIn = (node: Node): string[] => {
  const name = nameOf(node);
  if (name !== null) return [name];
  const { type, object, property, key, value } = node;
  if (type === 'MemberExpression' && isNode(object))
    return [object, property].flatMap((one) => (isNode(one) && one !== property ? namesIn(one) : computedIn(one)));
  if (type === 'KeyValueProperty' && isNode(key) && isNode(value)) return [...computedIn(key), ...namesIn(value)];
  return childrenOf(node).flatMap(namesIn);
};

const computedIn = (node: unknown): string[] => (isNode(node) && node.type === 'Computed' ? namesIn(node) : []);

const mentions = (node: Node, names: readonly string[]): boolean => namesIn(node).some((name) => names.includes(name));

/** The names that a parameter binds; of a destructured one only those of a key, if it is given. */
const boundBy = (pattern: unknown, key?: string): string[] => {
  if (!isNode(pattern)) return [];
  const whole = nameOf(pattern);
  if (whole !== null) return [whole];
  if (pattern.type === 'Parameter') return boundBy(pattern['pat'], key);
  if (pattern.type === 'AssignmentPattern') return boundBy(pattern['left'], key);
  if (pattern.type === 'ObjectPattern')
    return (pattern['properties'] as Node[]).flatMap((one) => {
      const of = nameOf(one['key']) ?? textOf(one['key']);
      if (key !== undefined && of !== key) return [];
      return one.type === 'AssignmentPatternProperty' ? boundBy(one['key']) : boundBy(one['value']);
    });
  return childrenOf(pattern).flatMap((one) => boundBy(one));
};

/** A value without what only its type needs. */
const bare = (node: Node): Node => {
  const { expression } = node;
  return /^(Ts\w+|ParenthesisExpression)$/.test(node.type) && isNode(expression) ? bare(expression) : node;
};

const argumentsOf = (call: Node): Node[] => (call['arguments'] as { expression: Node }[]).map((one) => one.expression);
const elementsOf = (node: Node): Node[] =>
  (node['elements'] as ({ expression: Node } | null)[]).flatMap((one) => (one === null ? [] : [bare(one.expression)]));
const paramsOf = (run: Node): unknown[] => (run['params'] as unknown[] | undefined) ?? [];

/** What the matchers of `expect(…)` in code compare with. One behind `not` proves no value. */
const comparedIn = (code: Node): Node[] =>
  within(code).flatMap((call) => {
    if (call.type !== 'CallExpression') return [];
    let at = call['callee'] as Node;
    if (at.type !== 'MemberExpression') return [];
    for (; at.type === 'MemberExpression'; at = at['object'] as Node) if (nameOf(at['property']) === 'not') return [];
    return at.type === 'CallExpression' && nameOf(at['callee']) === 'expect' ? argumentsOf(call) : [];
  });

/** The suite's declarations of a name, wherever they are. */
const declaredAs = (suite: readonly Node[], name: string): Node[] =>
  suite.flatMap((node) => {
    if (node.type === 'VariableDeclarator' && nameOf(node['id']) === name && isNode(node['init']))
      return [bare(node['init'])];
    return node.type === 'FunctionDeclaration' && nameOf(node['identifier']) === name ? [node] : [];
  });

/** The rows of `each`; null when the call is not that of a test. */
const testCall = (callee: Node): { rows: Node | null } | null => {
  const isTest = (node: unknown): boolean => ['it', 'test'].includes(nameOf(node) ?? '');
  if (isTest(callee)) return { rows: null };
  if (callee.type !== 'CallExpression') return null;
  const each = callee['callee'] as Node;
  if (each.type !== 'MemberExpression' || nameOf(each['property']) !== 'each' || !isTest(each['object'])) return null;
  return { rows: argumentsOf(callee)[0] ?? null };
};

const testsTitled = (suite: readonly Node[], title: string): Test[] =>
  suite.flatMap((call) => {
    if (call.type !== 'CallExpression') return [];
    const of = testCall(call['callee'] as Node);
    const [named, run] = argumentsOf(call);
    return of === null || textOf(named) !== title || run === undefined ? [] : [{ run, rows: of.rows }];
  });

/** The parameters that hold one of some words in some row. */
const columnsOf = ({ run, rows }: Test, suite: readonly Node[], words: Words): string[] => {
  if (rows === null) return [];
  const name = nameOf(bare(rows));
  const tables = name === null ? [bare(rows)] : declaredAs(suite, name);
  const params = paramsOf(run);
  return tables
    .filter(({ type }) => type === 'ArrayExpression')
    .flatMap((table) =>
      elementsOf(table).flatMap((row) => {
        if (row.type === 'ArrayExpression')
          return elementsOf(row).flatMap((cell, at) => (says(cell, words) ? boundBy(params[at]) : []));
        if (row.type !== 'ObjectExpression') return says(row, words) ? boundBy(params[0]) : [];
        return (row['properties'] as Node[]).flatMap((one) =>
          isNode(one['value']) && says(one['value'], words)
            ? boundBy(params[0], nameOf(one['key']) ?? textOf(one['key']) ?? '')
            : [],
        );
      }),
    );
};

/**
 * Whether a helper that a test uses compares with one of some words, or the test compares with what the helper makes of
 * it.
 */
const comparedBy = (helper: Node, name: string, test: Test, words: Words, columns: readonly string[]): boolean => {
  const own = comparedIn(helper);
  if (own.some((value) => says(value, words))) return mentions(test.run, [name]);
  if (says(helper, words)) return comparedIn(test.run).some((value) => mentions(value, [name]));
  const calls = within(test.run).filter((call) => call.type === 'CallExpression' && nameOf(call['callee']) === name);
  return calls.some((call) =>
    argumentsOf(call).some((given, at) => {
      if (!says(given, words) && !mentions(given, columns)) return false;
      const bound = boundBy(paramsOf(helper)[at]);
      return own.some((value) => mentions(value, bound));
    }),
  );
};

/**
 * Why a suite does not show that its test of this title compares something with one of some words; null when it does.
 * The word is a literal in what a matcher of `expect(…)` takes: in the test itself, in a row of its table whose
 * parameter goes into a matcher, or by way of the helpers that are named, which are declared in the suite.
 */
export const notAsserted = (
  source: string,
  title: string,
  words: Words,
  helpers: readonly string[] = [],
): string | null => {
  const tree = parseSync(source, { syntax: 'typescript', decorators: true }) as unknown as Node;
  const suite = within(tree);
  const [test, other] = testsTitled(suite, title);
  if (test === undefined) return 'no test has this title';
  if (other !== undefined) return 'two tests have this title';
  const undeclared = helpers.filter((name) => declaredAs(suite, name).length === 0 || !mentions(test.run, [name]));
  if (undeclared.length > 0) return `the test uses no ${undeclared.join(', ')} of its suite`;

  const compared = comparedIn(test.run);
  if (compared.some((value) => says(value, words))) return null;
  const columns = columnsOf(test, suite, words);
  if (compared.some((value) => mentions(value, columns))) return null;
  const byHelper = helpers.some((name) =>
    declaredAs(suite, name).some((helper) => comparedBy(helper, name, test, words, columns)),
  );
  return byHelper ? null : `the test compares nothing with ${words.join(' or ')}`;
};
