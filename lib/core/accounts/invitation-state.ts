/** States of an invitation. `open`: one person can sign up with it. The other states are final. */
export const invitationStates = ['expired', 'open', 'revoked', 'used'] as const;
export type InvitationState = (typeof invitationStates)[number];

interface InvitationFacts {
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** The state of an invitation. A used or revoked invitation keeps its state after its expiry time. */
export function invitationState(
  { expiresAt, usedAt, revokedAt }: InvitationFacts,
  now: Date,
): InvitationState {
  if (usedAt) return 'used';
  if (revokedAt) return 'revoked';
  return expiresAt > now ? 'open' : 'expired';
}

/** Values of the setting SIGN_UP: sign-up is open, needs an invitation, or is closed. */
export type SignUpMode = 'open' | 'invite' | 'closed';

/** Why a visitor may not sign up. `other_address`: the invitation is for another email address. */
export type SignUpRejection = 'closed' | 'invitation_missing' | 'invitation_invalid' | 'other_address';

interface SignUpFacts {
  readonly mode: SignUpMode;
  /**
   * The invitation of the visitor; null if the visitor has none. `unknown`: its code does not exist. Its `email` is null if it
   * is valid for any address.
   */
  readonly invitation: { readonly state: InvitationState | 'unknown'; readonly email: string | null } | null;
  /** Email address of the sign-up form; null while the field is empty. */
  readonly email: string | null;
}

/** Why a visitor may not sign up; null if allowed. An invitation must be valid even if sign-up does not require one. */
export function signUpRejection({ mode, invitation, email }: SignUpFacts): SignUpRejection | null {
  if (mode === 'closed') return 'closed';
  if (!invitation) return mode === 'invite' ? 'invitation_missing' : null;
  if (invitation.state !== 'open') return 'invitation_invalid';
  const hasOtherAddress = email !== null && invitation.email !== null && invitation.email !== email;
  return hasOtherAddress ? 'other_address' : null;
}
