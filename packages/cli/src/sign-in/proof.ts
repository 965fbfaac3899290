import { createHash, randomBytes } from 'node:crypto';

/** The secrets of one sign-in: the verifier of PKCE (RFC 7636), and the state by which its answer is known. */
export type Proof = { verifier: string; state: string };

const SECRET_BYTES = 32;

const secret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

export const newProof = (): Proof => ({ verifier: secret(), state: secret() });

export const challengeOf = ({ verifier }: Proof): string => createHash('sha256').update(verifier).digest('base64url');
