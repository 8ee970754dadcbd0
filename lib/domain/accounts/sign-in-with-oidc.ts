import { recordAudit } from '@/lib/domain/audit';
import { type Context, transact, type InTransaction } from '@/lib/domain/context';
import { admitOidc, type OidcRejection } from '@/lib/core/accounts/oidc-admission';
import { insertAccount } from './create-account';
import { deleteFactors } from './factors/factors';
import { createUnusablePasswordHash } from './delete-account';
import { decideSignUp, findOpenInvitationId, acceptInvitation } from './invitations';
import { deleteLinks } from './links';
import { joinInvitedTeam } from './team-invitations';
import { isOperatorEmail } from './operators';

/** Claims of the OpenID Connect issuer, with a verified signature, and the invitation of the visitor. */
interface OidcClaims {
  readonly issuer: string;
  readonly subject: string;
  /** Email address in lower case; null if the issuer provides none. */
  readonly email: string | null;
  readonly emailVerified: boolean;
  /** Token of an invitation that the visitor opened before the sign-in. */
  readonly invitation?: string | undefined;
}

interface SignedIn {
  readonly id: string;
  readonly email: string;
  readonly sessionVersion: number;
}

const accountColumns = { id: true, email: true, emailProvenAt: true, suspended: true } as const;

/**
 * Signs in a person that the issuer authenticated, and links or creates the account on the first sign-in (ADR 41). The
 * account is identified by issuer and subject; the address is used only for linking.
 */
export async function signInWithOidc(
  ctx: Context,
  claims: OidcClaims,
): Promise<SignedIn | { readonly rejected: OidcRejection }> {
  const { issuer, subject, email } = claims;
  const { oidc, signUp: mode } = ctx.settings;
  const identity = await ctx.db.oidcIdentity.findUnique({
    where: { issuer_subject: { issuer, subject } },
    select: { account: { select: accountColumns } },
  });
  const account =
    identity?.account ??
    (email === null ? null : await ctx.db.account.findUnique({ where: { email }, select: accountColumns }));
  const invitationId =
    account || email === null ? null : await findInvitation(ctx, { email, token: claims.invitation });
  const decision = admitOidc({
    email,
    emailVerified: claims.emailVerified,
    allowedDomains: oidc?.allowedDomains ?? [],
    mode,
    account: account && { isLinked: identity !== null, isSuspended: account.suspended },
    isInvited: invitationId !== null,
  });
  if (typeof decision === 'object') {
    if (account) {
      const userId = account.id;
      await recordAudit(ctx, { action: 'account.sign-in-refused', objectId: userId, userId });
    }
    return decision;
  }
  // A sign-in to a linked account writes no password.
  const passwordHash = decision === 'sign-in' ? '' : await createUnusablePasswordHash();
  return transact(ctx, async (tx) => {
    // `admitOidc` rejects a person without an account and address, so the address is never empty here.
    const id =
      account?.id ?? (await createInvitedAccount(tx, { email: email ?? '', passwordHash }, invitationId));
    if (decision !== 'sign-in') {
      await tx.db.oidcIdentity.create({ data: { issuer, subject, userId: id, createdAt: ctx.clock.now() } });
      await recordAudit(tx, { action: 'account.identity-linked', objectId: id, userId: id });
    }
    // Anyone could have signed up with this address before its owner, so the password, factors and sessions are revoked.
    // Sign-up rejects addresses of operators, so the accounts of operators keep them.
    if (decision === 'link' && !isOperatorEmail(ctx, account?.email ?? '')) {
      await deleteLinks(tx, id);
      await deleteFactors(tx, id);
      await tx.db.account.update({
        where: { id },
        data: { passwordHash, sessionVersion: { increment: 1 } },
      });
    }
    await recordAudit(tx, { action: 'account.signed-in-with-oidc', objectId: id, userId: id });
    const now = ctx.clock.now();
    const provesEmail = claims.emailVerified && (account === null || account.email === email);
    return tx.db.account.update({
      where: { id },
      data: { lastSeen: now, ...(provesEmail ? { emailProvenAt: account?.emailProvenAt ?? now } : {}) },
      select: { id: true, email: true, sessionVersion: true },
    });
  });
}

/** Finds the id of an open invitation for this address, or of the invitation that the visitor opened. */
async function findInvitation(
  ctx: Context,
  { email, token }: { readonly email: string; readonly token: string | undefined },
): Promise<string | null> {
  const ownInvitation = await findOpenInvitationId(ctx, email);
  if (ownInvitation !== null || token === undefined) return ownInvitation;
  const decision = await decideSignUp(ctx, { token, email });
  return 'rejected' in decision ? null : decision.invitationId;
}

async function createInvitedAccount(
  tx: InTransaction<Context>,
  input: { readonly email: string; readonly passwordHash: string },
  invitationId: string | null,
): Promise<string> {
  if (invitationId !== null) await acceptInvitation(tx, invitationId);
  const { id } = await insertAccount(tx, input);
  if (invitationId !== null) await joinInvitedTeam(tx, invitationId, id);
  return id;
}
