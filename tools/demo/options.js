import { parseArgs } from 'node:util';
import { Failure } from '../lib/failure.js';

/** @param {string[]} args */
export function parseDemoOptions(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        mcp: { type: 'boolean' },
        card: { type: 'boolean' },
        'from-signup': { type: 'boolean' },
        screenshots: { type: 'string' },
      },
    });
    const { mcp = false, card = false, 'from-signup': fromSignup = false, screenshots } = values;
    if (mcp && fromSignup) throw new Error("The agent of --from-signup works over REST, so it takes no '--mcp'");
    if (card && (mcp || fromSignup)) throw new Error("Option '--card' stands alone");
    if (screenshots !== undefined && !fromSignup) throw new Error("Option '--screenshots' needs '--from-signup'");
    return { mcp, card, fromSignup, screenshots };
  } catch (error) {
    throw new Failure(`${error.message.split('. ')[0]}.`, [
      'npm run demo',
      'npm run demo -- --mcp',
      'npm run demo -- --card  (needs npm start -- --card)',
      'npm run demo -- --from-signup [--screenshots FOLDER]',
    ]);
  }
}
