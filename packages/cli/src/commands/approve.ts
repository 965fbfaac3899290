import type { Quote } from '@cds/sdk';
import type { Command } from 'commander';
import { acting, type Context } from '../context.js';
import { CliError, EXIT } from '../failures.js';
import { facts, money } from '../output.js';
import type { World } from '../world.js';
import { quoteWords } from './plan-words.js';
import { choice } from './values.js';

type Options = { yes?: boolean; fingerprint?: string; rail?: 'checkout' | 'invoice' };

const confirmed = async ({ world }: Context, quote: Quote): Promise<boolean> => {
  if (!world.terminal.in)
    throw new CliError(
      'There is no terminal to confirm at.',
      `Decide on the quote, then: cds approve ${quote.plan_id} --yes --fingerprint ${quote.terms_fingerprint}`,
    );
  const answer = await world.ask(`Sign for ${money(quote.total_cents)}? This cannot be undone. [y/N] `);
  return /^y(es)?$/i.test(answer);
};

const checkMaySign = ({ policy, plan_id }: Quote): void => {
  if (!policy.allowed)
    throw new CliError(
      `This key may not sign the plan: ${policy.refusal?.reason ?? 'refused'}.`,
      `See what would help: cds plan preflight ${plan_id}`,
      EXIT.refused,
    );
};

const approve = async (context: Context, id: string, options: Options): Promise<void> => {
  const { client, wait, show, world } = context;
  if (options.yes === true && options.fingerprint === undefined)
    throw new CliError(
      '--yes needs the fingerprint of the quote that was decided on.',
      'Add --fingerprint FINGERPRINT.',
    );
  const quote = await wait('Reading the quote', (call) => client.planQuote({ id }, call));
  if (options.yes !== true) {
    world.err(`${quoteWords(quote, { ...world, terminal: { ...world.terminal, out: world.terminal.err } })}\n`);
    checkMaySign(quote);
    if (!(await confirmed(context, quote)))
      throw new CliError('Nothing was signed.', `The plan awaits approval: ${quote.plan_id}`, EXIT.declined);
  }
  const fingerprint = options.fingerprint ?? quote.terms_fingerprint;
  const input = {
    id,
    terms_fingerprint: fingerprint,
    // The total belongs to the quote that was just read, so it is sent only with that quote's fingerprint.
    expected_total_cents: fingerprint === quote.terms_fingerprint ? quote.total_cents : undefined,
    rail: options.rail,
  };
  const signed = await wait('Signing', (call) => client.approvePlan(input, call));
  show(signed, () =>
    facts([
      ['signed', `${money(signed.order.total_cents)} at ${signed.approved_at}`],
      ['order', signed.order_id],
      ['pay at', signed.payment.url],
      ['until', signed.payment.expires_at],
    ]),
  );
};

export const addApprove = (program: Command, world: World): void => {
  program
    .command('approve <plan>')
    .description('Sign a plan, after showing its quote and asking')
    .option('--yes', 'do not ask; needs --fingerprint')
    .option('--fingerprint <fingerprint>', 'sign only if the plan still has this fingerprint')
    .addOption(choice('--rail <rail>', 'how the brand pays', ['checkout', 'invoice']))
    .action(acting<Options>(world, (context, [id = ''], options) => approve(context, id, options)));
};
