import { randomBytes } from 'node:crypto';
import type { Outcome } from '@cds/service';
import {
  formTokenOf,
  isFormToken,
  openLinks,
  openToken,
  payTokenHash,
  payTokenOf,
  sealToken,
} from '../domain/pay-token.js';

/** Pay tokens under this service's key: made, kept sealed, and opened only in what leaves for the brand. */
export class PayTokens {
  constructor(private readonly key: Buffer) {}

  /** A new token, sealed. */
  fresh(): string {
    return sealToken(this.key, payTokenOf(randomBytes(32)), randomBytes(12));
  }

  open(sealed: string): string {
    return openToken(this.key, sealed);
  }

  hashOf(sealed: string): string {
    return payTokenHash(this.open(sealed));
  }

  /** A recorded answer as its caller gets it: the link's token readable. */
  reveal(outcome: Outcome): Outcome {
    return outcome.ok ? { ...outcome, json: Buffer.from(openLinks(this.key, outcome.json.toString())) } : outcome;
  }

  formToken(token: string): string {
    return formTokenOf(this.key, token);
  }

  isFormToken(token: string, given: string): boolean {
    return isFormToken(this.key, token, given);
  }
}
