import { recordAudit } from '@/lib/domain/audit';
import { transact, type Context } from '@/lib/domain/context';
import { AppError } from '@/lib/core/errors';
import type { Mailer } from '@/lib/infra/mail/mailer';
import { hashPassword, rejectCommonPassword } from '@/lib/infra/hash-password';
import { createLink, openLink, consumeLink, hasReachedMailLimit } from './links';
import { findAccountByEmail } from './list-accounts';

/**
 * Creates a link for the operator, with which the owner of the account sets a new password.
 * @throws AppError `not_found`, `conflict` if the account is suspended
 */
export async function createResetLink(ctx: Context, email: string): Promise<string> {
  const { id, suspended } = await findAccountByEmail(ctx, email);
  if (suspended) throw new AppError('conflict', `the account with the address ${email} is suspended`);
  return transact(ctx, async (tx) => {
    await recordAudit(tx, { action: 'account.reset-link-created', objectId: id, userId: id });
    return createLink(tx, 'password-reset', { userId: id });
  });
}

/**
 * Sends a link for a new password if the address has an account. The work happens after the response, so that neither the
 * response nor its duration reveals whether an account exists.
 * @throws AppError `unavailable` without a mail server, or if too many mails are queued
 */
export function requestPasswordReset(ctx: Context, email: string, mailer: Mailer | null): Promise<void> {
  const noMailMessage =
    'this server sends no mail. Ask the server operator for a link to reset your password.';
  if (!mailer) return Promise.reject(new AppError('unavailable', noMailMessage));
  const wasAccepted = mailer.sendLater(async () => {
    const account = await ctx.db.account.findUnique({
      where: { email },
      select: { id: true, suspended: true },
    });
    if (!account || account.suspended || (await hasReachedMailLimit(ctx, 'password-reset', account.id)))
      return null;
    const url = await transact(ctx, async (tx) => {
      const { id } = account;
      await recordAudit(tx, { action: 'account.reset-link-requested', objectId: id, userId: id });
      return createLink(tx, 'password-reset', { userId: id });
    });
    return { to: email, subject: 'Reset your password', text: resetText(ctx.settings.baseUrl, url) };
  });
  const queueFullMessage = 'too many mails are waiting to be sent, try again';
  return wasAccepted
    ? Promise.resolve()
    : Promise.reject(new AppError('unavailable', queueFullMessage, { retryAfter: 60 }));
}

const resetText = (baseUrl: string, url: string) =>
  `Someone asked to reset the password of your account at ${baseUrl}.

Set a new password here:
${url}

The link works once, within one hour. If you did not ask for it, ignore this mail: your password stays as it is.
`;

/**
 * Sets a new password with a link and ends every sign-in session.
 * @returns the account to log in to
 * @throws AppError `forbidden` for an invalid link, `invalid` for a common password
 */
export async function resetPassword(
  ctx: Context,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<{ userId: string; email: string }> {
  const link = await openLink(ctx, 'password-reset', token);
  rejectCommonPassword(password);
  const passwordHash = await hashPassword(password);
  const { userId } = link;
  await transact(ctx, async (tx) => {
    await consumeLink(tx, link);
    await tx.db.account.update({
      where: { id: userId },
      data: { passwordHash, sessionVersion: { increment: 1 } },
    });
    await recordAudit(tx, { action: 'account.password-reset', objectId: userId, userId });
  });
  return { userId, email: link.account.email };
}
