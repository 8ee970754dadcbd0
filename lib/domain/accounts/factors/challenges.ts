import { minuteMs } from '@/lib/core/units';
import { randomBytes } from 'node:crypto';
import type { Context, SystemContext } from '@/lib/domain/context';
import { deleteInBatches } from '@/lib/infra/db';

/**
 * Signed WebAuthn challenges: nonce(16) · expiry(6) · signature(16) under a key derived from APP_SECRET. Only answered
 * challenges have a row, so that visitors who request challenges fill no table (ADR 43).
 */
type Purpose = 'passkey-registration' | 'passkey-sign-in' | 'second-step';

/** Lifetime of a challenge; browsers time out after the same period. */
export const challengeLifeMs = 5 * minuteMs;
const nonceLength = 16;
const signedLength = 22;
const length = 38;

/** A challenge of this service that matches its purpose and has not expired. */
export interface Challenge {
  readonly id: Buffer<ArrayBuffer>;
  readonly expiresAt: Date;
}

interface ChallengeUse {
  readonly purpose: Purpose;
  /** The account, browser or sign-in that may answer the challenge. */
  readonly boundTo: string;
}

const signingPurpose = 'passkey-challenges';
const signatureLength = length - signedLength;
const contentOf = ({ purpose, boundTo }: ChallengeUse, content: Buffer) =>
  Buffer.concat([Buffer.from(`${purpose}\0${boundTo}\0`), content]);

export function newChallenge(ctx: Context, use: ChallengeUse): Buffer<ArrayBuffer> {
  const expiry = Buffer.alloc(signedLength - nonceLength);
  expiry.writeUIntBE(ctx.clock.now().getTime() + challengeLifeMs, 0, expiry.length);
  const content = Buffer.concat([randomBytes(nonceLength), expiry]);
  const signature = ctx.secrets.sign(signingPurpose, contentOf(use, content)).subarray(0, signatureLength);
  return Buffer.concat([content, signature]);
}

/** @param text base64url, as the browser returns it @returns null if it is forged, bound to another use, or too old */
export function readChallenge(ctx: Context, use: ChallengeUse, text: string): Challenge | null {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== length) return null;
  const content = bytes.subarray(0, signedLength);
  const signature = bytes.subarray(signedLength);
  if (!ctx.secrets.verify(signingPurpose, contentOf(use, content), signature, signatureLength)) return null;
  const expiresAt = new Date(bytes.readUIntBE(nonceLength, signedLength - nonceLength));
  return expiresAt > ctx.clock.now() ? { id: Buffer.from(bytes.subarray(0, nonceLength)), expiresAt } : null;
}

/**
 * Marks a challenge as used. Runs in the transaction of the change that the answer makes.
 * @returns whether this is the first answer
 */
export async function takeChallenge({ db }: Context, challenge: Challenge): Promise<boolean> {
  const { count } = await db.usedChallenge.createMany({ data: [challenge], skipDuplicates: true });
  return count > 0;
}

/** Deletes records of answered challenges that have expired. @returns their number */
export function expireChallenges({ db, clock }: SystemContext): Promise<number> {
  return deleteInBatches(
    (limit) => db.$executeRaw`
      delete from "UsedChallenge" where "id" in (
        select "id" from "UsedChallenge" where "expiresAt" < ${clock.now()} limit ${limit})`,
  );
}
