import { argumentsOf } from '../lib/arguments.ts';
import { Failure } from '../lib/failure.ts';

const USAGES = [
  'npm run demo',
  'npm run demo -- --mcp',
  'npm run demo -- --card  (needs npm start -- --card)',
  'npm run demo -- --from-signup [--screenshots FOLDER]',
];

export function parseDemoOptions(args: string[]) {
  const { values } = argumentsOf(
    {
      args,
      options: {
        mcp: { type: 'boolean' },
        card: { type: 'boolean' },
        'from-signup': { type: 'boolean' },
        screenshots: { type: 'string' },
      },
    },
    USAGES,
  );
  const { mcp = false, card = false, 'from-signup': fromSignup = false, screenshots } = values;
  if (mcp && fromSignup)
    throw new Failure("The agent of --from-signup works over REST, so '--mcp' does not go with it.", USAGES);
  if (card && (mcp || fromSignup)) throw new Failure("Option '--card' cannot be combined with another option.", USAGES);
  if (screenshots !== undefined && !fromSignup)
    throw new Failure("Option '--screenshots' needs '--from-signup'.", USAGES);
  return { mcp, card, fromSignup, screenshots };
}
