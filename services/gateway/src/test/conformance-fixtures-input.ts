import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequest,
  type InputRequests,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** What `requestState` holds between the rounds of a tool: how many are over. */
type State = { round: number };

/** Seals what clients send back. A new server answers each round, so all share the key. */
export const STATE = createRequestStateCodec<State>({ key: crypto.getRandomValues(new Uint8Array(32)) });

type Field = { type: 'string' } | { type: 'boolean' };

const ask = (message: string, field: string, schema: Field = { type: 'string' }): InputRequest =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: schema }, required: [field] },
  });

const sample = (text: string): InputRequest =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 100 });

/** An answer in text to what `ask` asked; undefined if there is none of that form. */
const answered = (ctx: ServerContext, key: string, field: string): string | undefined => {
  const value = acceptedContent(ctx.mcpReq.inputResponses, key)?.[field];
  return typeof value === 'string' ? value : undefined;
};

const has = (ctx: ServerContext, key: string, kind: 'elicit' | 'sampling' | 'roots'): boolean =>
  inputResponse(ctx.mcpReq.inputResponses, key).kind === kind;

/** What the client of a request can do, of which the SDK's types know nothing. */
const declaredBy = ({ mcpReq }: ServerContext): ClientCapabilities =>
  (mcpReq.envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined)?.[
    CLIENT_CAPABILITIES_META_KEY
  ] ?? {};

const NAME = ask('What is your name?', 'name');
const CONFIRM = ask('Please confirm', 'ok', { type: 'boolean' });
const STEPS = [
  { step1: ask('Step 1: What is your name?', 'name') },
  { step2: ask('Step 2: What is your favorite color?', 'color') },
] as const;

/** What a tool does next: it asks again, or ends with a text. */
type Next = { inputRequests: InputRequests; round?: number } | string;

const confirmed = (ctx: ServerContext, text: string): Next =>
  ctx.mcpReq.requestState<State>() !== undefined && has(ctx, 'confirm', 'elicit')
    ? text
    : { inputRequests: { confirm: CONFIRM }, round: 1 };

/** The tools that ask their caller something before they end, by what each does in a round. */
const TOOLS: Record<string, (ctx: ServerContext) => Next> = {
  test_input_required_result_elicitation: (ctx) => {
    const name = answered(ctx, 'user_name', 'name');
    return name === undefined ? { inputRequests: { user_name: NAME } } : `Hello, ${name}!`;
  },
  test_input_required_result_sampling: (ctx) =>
    has(ctx, 'capital_question', 'sampling')
      ? 'The capital was named.'
      : { inputRequests: { capital_question: sample('What is the capital of France?') } },
  test_input_required_result_list_roots: (ctx) =>
    has(ctx, 'client_roots', 'roots')
      ? 'The roots were listed.'
      : { inputRequests: { client_roots: inputRequired.listRoots() } },
  test_input_required_result_request_state: (ctx) => confirmed(ctx, 'state-ok'),
  test_input_required_result_tampered_state: (ctx) => confirmed(ctx, 'integrity-ok'),
  test_input_required_result_multiple_inputs: (ctx) =>
    has(ctx, 'user_name', 'elicit') && has(ctx, 'greeting', 'sampling') && has(ctx, 'client_roots', 'roots')
      ? 'Everything was answered.'
      : {
          inputRequests: {
            user_name: NAME,
            greeting: sample('Generate a greeting'),
            client_roots: inputRequired.listRoots(),
          },
          round: 1,
        },
  test_input_required_result_multi_round: (ctx) => {
    const round = ctx.mcpReq.requestState<State>()?.round ?? 0;
    const inputRequests = STEPS[round];
    return inputRequests === undefined ? 'Both steps are over.' : { inputRequests, round: round + 1 };
  },
  test_input_required_result_capabilities: (ctx) => {
    const declared = declaredBy(ctx);
    return {
      inputRequests: {
        ...(declared.elicitation === undefined ? {} : { user_name: NAME }),
        ...(declared.sampling === undefined ? {} : { greeting: sample('Generate a greeting') }),
      },
    };
  },
  test_missing_capability: () => ({ inputRequests: { answer: sample('Reply with the single word: pong') } }),
};

/** Adds the suite's tools and its prompt that ask their caller for input. */
export const addInputFixtures = (server: McpServer): void => {
  for (const [name, next] of Object.entries(TOOLS)) {
    server.registerTool(name, { description: name, inputSchema: z.object({}) }, async (_args, ctx) => {
      const does = next(ctx);
      if (typeof does === 'string') return { content: [{ type: 'text', text: does }] };
      const { inputRequests, round } = does;
      return inputRequired({
        inputRequests,
        ...(round === undefined ? {} : { requestState: await STATE.mint({ round }) }),
      });
    });
  }

  const prompt = 'test_input_required_result_prompt';
  // Without a schema of arguments, the context is the first argument, of which the types know nothing.
  server.registerPrompt(prompt, { description: prompt }, (first: unknown) => {
    const context = answered(first as ServerContext, 'user_context', 'context');
    if (context === undefined)
      return inputRequired({
        inputRequests: { user_context: ask('What context should the prompt use?', 'context') },
      });
    return { messages: [{ role: 'user', content: { type: 'text', text: context } }] };
  });
};
