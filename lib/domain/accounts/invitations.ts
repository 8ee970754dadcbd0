import { dayMs } from '@/lib/core/units';
import { recordAudit } from '@/lib/domain/audit';
import {
  transact,
  type AccountContext,
  type Actor,
  type Context,
  type SystemContext,
} from '@/lib/domain/context';
import type { Invitation } from '@/lib/contract/accounts/invitation';
import { invitationState, signUpRefusal, type SignUpRefusal } from '@/lib/core/accounts/invitation-state';
import { invitationLifeMs } from '@/lib/core/accounts/link-terms';
import { AppError, notFound } from '@/lib/core/errors';
import { deleteInBatches } from '@/lib/infra/db';
import { newId } from '@/lib/infra/ids';
import type { Mailer } from '@/lib/infra/mail/mailer';
import { reasonOf } from '@/lib/infra/queue/queue';
import type { Invitation as InvitationRow } from '@/lib/generated/prisma/client';
import { readToken, urlOfLink } from './links';

/** More open ones than an operator can keep track of. */
const maxOpen = 1_000;

/**
 * Invites one person to sign up, by mail if there is a mail server and an address.
 * @param email null: anyone who has the link can sign up, with any address
 * @throws AppError `conflict` where sign-up is closed, or with too many open invitations
 */
export async function invite(
  ctx: Context<Exclude<Actor, { kind: 'anonymous' }>>,
  email: string | null,
  mailer: Mailer | null,
): Promise<{ invitation: Invitation; url: string; mailed: boolean }> {
  if (ctx.settings.signUp === 'closed') {
    throw new AppError('conflict', 'sign-up is closed on this server: set SIGN_UP=invite to invite people');
  }
  const now = ctx.clock.now();
  const open = await ctx.db.invitation.count({ where: { teamId: null, ...openAt(now) } });
  if (open >= maxOpen) {
    throw new AppError('conflict', `there are ${maxOpen} open invitations: revoke some of them`);
  }
  const row = await transact(ctx, async (tx) => {
    const expiresAt = new Date(now.getTime() + invitationLifeMs);
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

/** @param purpose completes "You are invited to". The invitation stays when the mail server does not accept it: the link can be passed on in another way. */
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
    ctx.log.warn({ reason: reasonOf(error) }, 'mail not accepted');
    return false;
  }
}

export const openAt = (now: Date) => ({ usedAt: null, revokedAt: null, expiresAt: { gt: now } }) as const;

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

/** The newest invitations to sign up, for the operator. Those to a team are that team's. */
export async function listInvitations(ctx: Context): Promise<Invitation[]> {
  const rows = await ctx.db.invitation.findMany({
    where: { teamId: null },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    take: maxOpen,
  });
  const now = ctx.clock.now();
  return rows.map((row) => serialize(row, now));
}

/**
 * Revokes an invitation; its link stops working.
 * @throws AppError `not_found`, `conflict` if it is not open anymore
 */
export async function revokeInvitation(ctx: AccountContext, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    await revokeOpen(tx, { id, teamId: null });
    await recordAudit(tx, { action: 'invitation.revoked', objectId: id });
  });
}

/** @throws AppError `not_found`, `conflict` if it is not open anymore */
export async function revokeOpen(
  { db, clock }: Context,
  where: { readonly id: string; readonly teamId: string | null },
): Promise<void> {
  const now = clock.now();
  const { count } = await db.invitation.updateMany({
    where: { ...where, ...openAt(now) },
    data: { revokedAt: now },
  });
  if (count > 0) return;
  const row = await db.invitation.findFirst({ where });
  if (!row) throw notFound();
  throw new AppError('conflict', `the invitation is not open: it is ${invitationState(row, now)}`);
}

export const refusalMessages: Readonly<Record<SignUpRefusal, string>> = {
  closed: 'sign-up is closed on this server. Ask the server operator for an account.',
  invitation_missing:
    'sign-up on this server is by invitation. Ask the server operator for an invitation link.',
  invitation_invalid:
    'invitation: this link is incomplete, has expired, was used or was revoked. Ask for a new one.',
  other_address: 'email: the invitation is for another address',
};

interface SignUp {
  /** Token from the invitation link; undefined without one. */
  readonly token: string | undefined;
  /** Null before it is typed. */
  readonly email: string | null;
}

interface Admission {
  /** Id of the invitation, if there is one. */
  readonly invitationId: string | null;
  readonly invitedEmail: string | null;
}

/** Whether a visitor may sign up, with or without an invitation. */
export async function decideSignUp(
  ctx: Context,
  { token, email }: SignUp,
): Promise<Admission | { readonly refused: SignUpRefusal }> {
  const id = token === undefined ? null : readToken(ctx, 'invitation', token);
  const row = id && (await ctx.db.invitation.findUnique({ where: { id } }));
  const openInvitation = row
    ? { state: invitationState(row, ctx.clock.now()), email: row.email }
    : ({ state: 'unknown', email: null } as const);
  const refused = signUpRefusal({
    mode: ctx.settings.signUp,
    invitation: token === undefined ? null : openInvitation,
    email,
  });
  return refused ? { refused } : { invitationId: row ? row.id : null, invitedEmail: openInvitation.email };
}

/** @throws AppError `forbidden` saying why */
export async function admitSignUp(ctx: Context, attempt: SignUp): Promise<Admission> {
  const decision = await decideSignUp(ctx, attempt);
  if ('refused' in decision) throw new AppError('forbidden', refusalMessages[decision.refused]);
  return decision;
}

/** The id of an open invitation of exactly this address; null without one. */
export async function openInvitationOf({ db, clock }: Context, email: string): Promise<string | null> {
  const row = await db.invitation.findFirst({
    where: { email, ...openAt(clock.now()) },
    select: { id: true },
  });
  return row?.id ?? null;
}

/** Accepts an invitation; of concurrent sign-ups only one succeeds. @throws AppError `forbidden` */
export async function takeInvitation({ db, clock }: Context, id: string): Promise<void> {
  const now = clock.now();
  const { count } = await db.invitation.updateMany({ where: { id, ...openAt(now) }, data: { usedAt: now } });
  if (count === 0) throw new AppError('forbidden', refusalMessages.invitation_invalid);
}

const keptMs = 30 * dayMs;

/** Deletes invitations that ended long ago. @returns how many */
export function expireInvitations({ db, clock }: SystemContext): Promise<number> {
  const before = new Date(clock.now().getTime() - keptMs);
  return deleteInBatches(
    (limit) => db.$executeRaw`
      delete from "Invitation" where "id" in (
        select "id" from "Invitation" where "expiresAt" < ${before} limit ${limit})`,
  );
}
