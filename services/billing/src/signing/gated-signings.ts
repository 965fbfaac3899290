import { type Ctx, systemContext } from '@cds/service';
import type { Dependencies } from '../dependencies.js';
import { type Authority, type Hold, isGated } from '../domain/authority.js';
import type { SigningMachine } from './signing-machine.js';

/** The signings that hold cents, and that the gate would refuse by now (docs/reliability.md#ended-rights). */
export class GatedSignings {
  constructor(
    private readonly signing: SigningMachine,
    private readonly log: Dependencies['log'],
  ) {}

  /**
   * Has planning close them, or repeat what it decided before. Their runners, which may be alive, find that verdict
   * too. Raises unavailable when planning does not answer for one of them.
   */
  async settle(ctx: Ctx, authority: Authority): Promise<void> {
    const gated = authority.holds.filter((hold) => hold.refusal === undefined && isGated(authority, hold));
    await Promise.all(gated.map((hold) => this.settleOne(ctx, hold)));
  }

  private async settleOne({ now, networkNow, deadline }: Ctx, hold: Hold): Promise<void> {
    const of = { workspace: hold.ws, sandbox: hold.principal.sandbox, now, networkNow };
    const ctx: Ctx = { ...systemContext(of), deadline };
    const decided = await this.signing.close(ctx, hold);
    try {
      await this.signing.finish(ctx, decided);
    } catch (error) {
      // The verdict stands. The hold is still there, and the recovery worker finishes it.
      this.log.warn({ err: error, signing_id: hold.signing_id }, 'a settled signing is left to the recovery worker');
    }
  }
}
