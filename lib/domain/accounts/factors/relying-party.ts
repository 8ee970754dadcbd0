import type { Context } from '@/lib/domain/context';
import { relyingPartyIdOf } from '@/lib/core/accounts/sign-in-steps';
import { AppError } from '@/lib/core/errors';

/** Loads the WebAuthn library with the first passkey, because most processes never need it. */
export const loadWebAuthn = () => import('@simplewebauthn/server');

/** COSE ids of EdDSA, ES256 and RS256, which every supported Node version can verify. */
export const coseAlgorithms = [-8, -7, -257];

/** WebAuthn user handle of an account: its UUID, which contains no personal data, as WebAuthn requires. */
export const userHandleOf = (userId: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(userId.replaceAll('-', ''), 'hex'));

/** @throws AppError `conflict` where browsers offer no passkeys */
export function requireRelyingParty({ settings: { baseUrl } }: Context): {
  expectedRPID: string;
  expectedOrigin: string;
} {
  const expectedRPID = relyingPartyIdOf(baseUrl);
  if (expectedRPID === null) {
    const requirementText = 'BASE_URL is https:// with a host name, or http://localhost';
    throw new AppError('conflict', `passkeys work only on servers whose ${requirementText}`);
  }
  return { expectedRPID, expectedOrigin: new URL(baseUrl).origin };
}
