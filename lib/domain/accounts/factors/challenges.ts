import { MINUTE_MS } from '@/lib/core/units';
import { randomBytes } from 'node:crypto';
import type { Context, SystemContext } from '@/lib/domain/context';
import { deleteInBatches } from '@/lib/infra/db';

/** Lifetime of a challenge; browsers time out after the same period. */
export const CHALLENGE_LIFETIME_MS = 5 * MINUTE_MS;

// A challenge is a nonce (16 bytes), its expiry in Unix milliseconds (6), and a signature (16) under a key derived from
// APP_SECRET. Only challenges with a response have a row, so that visitors who request challenges fill no table (ADR 43).
const NONCE_LENGTH = 16;
const SIGNED_LENGTH = 22;
const CHALLENGE_LENGTH = 38;

/** A challenge of this service that matches its purpose and has not expired. */
export interface Challenge {
  /** The nonce. */
  readonly id: Buffer<ArrayBuffer>;
  readonly expiresAt: Date;
}

interface ChallengeUse {
  readonly purpose: 'passkey-registration' | 'passkey-sign-in' | 'second-step';
  /** The account, browser or sign-in that may answer the challenge. */
  readonly boundTo: string;
}

const signingPurpose = 'passkey-challenges';
const SIGNATURE_LENGTH = CHALLENGE_LENGTH - SIGNED_LENGTH;
const signedContentOf = ({ purpose, boundTo }: ChallengeUse, content: Buffer) =>
  Buffer.concat([Buffer.from(`${purpose}\0${boundTo}\0`), content]);

/** Creates a challenge for one use, as bytes. Writes no row. */
export function createChallenge(ctx: Context, use: ChallengeUse): Buffer<ArrayBuffer> {
  const expiry = Buffer.alloc(SIGNED_LENGTH - NONCE_LENGTH);
  expiry.writeUIntBE(ctx.clock.now().getTime() + CHALLENGE_LIFETIME_MS, 0, expiry.length);
  const content = Buffer.concat([randomBytes(NONCE_LENGTH), expiry]);
  const signature = ctx.secrets
    .sign(signingPurpose, signedContentOf(use, content))
    .subarray(0, SIGNATURE_LENGTH);
  return Buffer.concat([content, signature]);
}

/**
 * Reads a challenge that a browser returned.
 * @param text base64url
 * @returns null if the challenge is forged, bound to another use, or expired
 */
export function readChallenge(ctx: Context, use: ChallengeUse, text: string): Challenge | null {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== CHALLENGE_LENGTH) return null;
  const content = bytes.subarray(0, SIGNED_LENGTH);
  const signature = bytes.subarray(SIGNED_LENGTH);
  if (!ctx.secrets.verify(signingPurpose, signedContentOf(use, content), signature, SIGNATURE_LENGTH))
    return null;
  const expiresAt = new Date(bytes.readUIntBE(NONCE_LENGTH, SIGNED_LENGTH - NONCE_LENGTH));
  return expiresAt > ctx.clock.now() ? { id: Buffer.from(bytes.subarray(0, NONCE_LENGTH)), expiresAt } : null;
}

/**
 * Marks a challenge as used, in the transaction that acts on the response.
 * @returns whether this is the first response
 */
export async function consumeChallenge({ db }: Context, challenge: Challenge): Promise<boolean> {
  const { count } = await db.usedChallenge.createMany({ data: [challenge], skipDuplicates: true });
  return count > 0;
}

/**
 * Deletes the records of used challenges that have expired.
 * @returns their number
 */
export function expireChallenges({ db, clock }: SystemContext): Promise<number> {
  return deleteInBatches(
    (limit) => db.$executeRaw`
      delete from "UsedChallenge" where "id" in (
        select "id" from "UsedChallenge" where "expiresAt" < ${clock.now()} limit ${limit})`,
  );
}
