import { type KeyObject, randomBytes } from 'node:crypto';
import {
  canOpen,
  formTokenOf,
  isFormToken,
  openToken,
  type PayKeys,
  payTokenHash,
  payTokenOf,
  sealToken,
} from '../domain/pay-token.js';

/** Stored sealed, and opened only in what is sent to the brand. */
export class PayTokens {
  constructor(
    private readonly keys: PayKeys,
    private readonly formKey: KeyObject,
  ) {}

  fresh(): string {
    return sealToken(this.keys, payTokenOf(randomBytes(32)), randomBytes(12));
  }

  open(sealed: string): string {
    return openToken(this.keys, sealed);
  }

  /** Null once the key that sealed it is retired. */
  openIfKept(sealed: string): string | null {
    return canOpen(this.keys, sealed) ? this.open(sealed) : null;
  }

  hashOf(sealed: string): string {
    return payTokenHash(this.open(sealed));
  }

  formToken(token: string): string {
    return formTokenOf(this.formKey, token);
  }

  isFormToken(token: string, given: string): boolean {
    return isFormToken(this.formKey, token, given);
  }
}
