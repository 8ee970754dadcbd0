import { DAY_MS } from '@/lib/core/units';
import { recordAudit } from '@/lib/domain/audit';
import {
  transact,
  type AccountContext,
  type Actor,
  type Context,
  type SystemContext,
} from '@/lib/domain/context';
import type { Invitation } from '@/lib/contract/accounts/invitation';
import { invitationState, signUpRejection, type SignUpRejection } from '@/lib/core/accounts/invitation-state';
import { INVITATION_LIFETIME_MS } from '@/lib/core/accounts/link-limits';
import { AppError, notFound, type Issue } from '@/lib/core/errors';
import { deleteInBatches } from '@/lib/infra/db';
import { newId } from '@/lib/infra/ids';
import type { Mailer } from '@/lib/infra/mail/mailer';
import { driverErrorMessage } from '@/lib/infra/driver-error';
import type { Invitation as InvitationRow } from '@/lib/generated/prisma/client';
import { readLinkToken, urlOfLink } from './links';

/** Maximum number of open invitations, so that an operator can review the list. */
const MAX_OPEN_INVITATIONS = 1_000;

/**
 * Invites one person to sign up. With a mail server and an address, the invitation is mailed.
 * @param email null if anyone with the link can sign up, with any address
 * @throws AppError `conflict` if sign-up is closed or there are too many open invitations
 */
export async function inviteToSignUp(
  ctx: Context<Exclude<Actor, { kind: 'anonymous' }>>,
  email: string | null,
  mailer: Mailer | null,
): Promise<{ invitation: Invitation; url: string; mailed: boolean }> {
  if (ctx.settings.signUp === 'closed') {
    throw new AppError('conflict', 'sign-up is closed on this server: set SIGN_UP=invite to invite people');
  }
  const now = ctx.clock.now();
  const openCount = await ctx.db.invitation.count({ where: { teamId: null, ...openInvitationFilter(now) } });
  if (openCount >= MAX_OPEN_INVITATIONS) {
    throw new AppError('conflict', `there are ${MAX_OPEN_INVITATIONS} open invitations: revoke some of them`);
  }
  const row = await transact(ctx, async (tx) => {
    const expiresAt = new Date(now.getTime() + INVITATION_LIFETIME_MS);
    const newInvitation = await tx.db.invitation.create({
      data: { id: newId(), email, createdAt: now, expiresAt },
    });
    await recordAudit(tx, { action: 'invitation.created', objectId: newInvitation.id });
    return newInvitation;
  });
  const url = urlOfLink(ctx, 'invitation', row.id);
  return {
    invitation: serialize(row, now),
    url,
    mailed: await mailInvitation(ctx, { email, url, purpose: 'create an account' }, mailer),
  };
}

/**
 * Mails the link of an invitation. If the mail server rejects the mail, the invitation stays valid.
 * @param purpose text that completes "You are invited to"
 * @returns whether the mail server accepted the mail
 */
export async function mailInvitation(
  ctx: Context,
  { email, url, purpose }: { readonly email: string | null; readonly url: string; readonly purpose: string },
  mailer: Mailer | null,
): Promise<boolean> {
  if (!mailer || email === null) return false;
  const { baseUrl } = ctx.settings;
  const text = `You are invited to ${purpose} at ${baseUrl}:
${url}

The link works once, within seven days, and for this address only.
`;
  try {
    await mailer.send({ to: email, subject: `Invitation to ${new URL(baseUrl).host}`, text });
    return true;
  } catch (error) {
    ctx.log.warn({ reason: driverErrorMessage(error) }, 'mail not accepted');
    return false;
  }
}

/** Prisma `where` object for invitations that were not used or revoked and have not expired. */
export const openInvitationFilter = (now: Date) =>
  ({ usedAt: null, revokedAt: null, expiresAt: { gt: now } }) as const;

function serialize(
  { id, email, createdAt, expiresAt, usedAt, revokedAt }: InvitationRow,
  now: Date,
): Invitation {
  const state = invitationState({ expiresAt, usedAt, revokedAt }, now);
  return {
    id,
    email,
    state,
    createdAt: createdAt.getTime(),
    expiresAt: expiresAt.getTime(),
    usedAt: usedAt?.getTime() ?? null,
  };
}

/** The newest invitations to sign up, for the operator. Team invitations are listed by `listTeamInvitations`. */
export async function listInvitations(ctx: Context): Promise<Invitation[]> {
  const rows = await ctx.db.invitation.findMany({
    where: { teamId: null },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    take: MAX_OPEN_INVITATIONS,
  });
  const now = ctx.clock.now();
  return rows.map((row) => serialize(row, now));
}

/**
 * Revokes an invitation; its link stops working.
 * @throws AppError `not_found`, `conflict` if it is no longer open
 */
export async function revokeInvitation(ctx: AccountContext, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    await revokeOpenInvitation(tx, { id, teamId: null });
    await recordAudit(tx, { action: 'invitation.revoked', objectId: id });
  });
}

/**
 * Revokes an open invitation.
 * @throws AppError `not_found`, `conflict` if it is no longer open
 */
export async function revokeOpenInvitation(
  { db, clock }: Context,
  where: { readonly id: string; readonly teamId: string | null },
): Promise<void> {
  const now = clock.now();
  const { count } = await db.invitation.updateMany({
    where: { ...where, ...openInvitationFilter(now) },
    data: { revokedAt: now },
  });
  if (count > 0) return;
  const row = await db.invitation.findFirst({ where });
  if (!row) throw notFound();
  throw new AppError('conflict', `the invitation is not open: it is ${invitationState(row, now)}`);
}

export const rejectionMessages: Readonly<Record<SignUpRejection, Issue>> = {
  closed: 'sign-up is closed on this server. Ask the server operator for an account.',
  invitation_missing:
    'sign-up on this server is by invitation. Ask the server operator for an invitation link.',
  invitation_invalid: {
    field: 'invitation',
    message: 'this link is incomplete, has expired, was used or was revoked. Ask for a new one.',
  },
  other_address: { field: 'email', message: 'the invitation is for another address' },
};

interface SignUpAttempt {
  /** Token from the invitation link; undefined without an invitation. */
  readonly token: string | undefined;
  /** Email address; null while the form is empty. */
  readonly email: string | null;
}

interface SignUpAdmission {
  /** Id of the invitation that the visitor opened; null without one, if sign-up needs none. */
  readonly invitationId: string | null;
  readonly invitedEmail: string | null;
}

/** Decides whether a visitor may sign up, with or without an invitation. */
export async function decideSignUp(
  ctx: Context,
  { token, email }: SignUpAttempt,
): Promise<SignUpAdmission | { readonly rejected: SignUpRejection }> {
  const id = token === undefined ? null : readLinkToken(ctx, 'invitation', token);
  const row = id && (await ctx.db.invitation.findUnique({ where: { id } }));
  const openInvitation = row
    ? { state: invitationState(row, ctx.clock.now()), email: row.email }
    : ({ state: 'unknown', email: null } as const);
  const rejection = signUpRejection({
    mode: ctx.settings.signUp,
    invitation: token === undefined ? null : openInvitation,
    email,
  });
  return rejection
    ? { rejected: rejection }
    : { invitationId: row ? row.id : null, invitedEmail: openInvitation.email };
}

/**
 * Admits a visitor who may sign up.
 * @throws AppError `forbidden` with the reason
 */
export async function admitSignUp(ctx: Context, attempt: SignUpAttempt): Promise<SignUpAdmission> {
  const decision = await decideSignUp(ctx, attempt);
  if ('rejected' in decision) throw new AppError('forbidden', rejectionMessages[decision.rejected]);
  return decision;
}

/** The id of an open invitation for exactly this address; null if there is none. */
export async function findOpenInvitationId({ db, clock }: Context, email: string): Promise<string | null> {
  const row = await db.invitation.findFirst({
    where: { email, ...openInvitationFilter(clock.now()) },
    select: { id: true },
  });
  return row?.id ?? null;
}

/**
 * Accepts an invitation. Of concurrent sign-ups, one succeeds.
 * @throws AppError `forbidden`
 */
export async function acceptInvitation({ db, clock }: Context, id: string): Promise<void> {
  const now = clock.now();
  const { count } = await db.invitation.updateMany({
    where: { id, ...openInvitationFilter(now) },
    data: { usedAt: now },
  });
  if (count === 0) throw new AppError('forbidden', rejectionMessages.invitation_invalid);
}

const RETENTION_MS = 30 * DAY_MS;

/**
 * Deletes invitations that expired more than 30 days ago.
 * @returns their number
 */
export function expireInvitations({ db, clock }: SystemContext): Promise<number> {
  const cutoff = new Date(clock.now().getTime() - RETENTION_MS);
  return deleteInBatches(
    (limit) => db.$executeRaw`
      delete from "Invitation" where "id" in (
        select "id" from "Invitation" where "expiresAt" < ${cutoff} limit ${limit})`,
  );
}
