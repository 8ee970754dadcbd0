import { recordAudit } from '@/lib/domain/audit';
import { transact, type AccountContext, type Context } from '@/lib/domain/context';
import { AppError } from '@/lib/core/errors';
import type { Mailer } from '@/lib/infra/mail/mailer';
import { driverErrorMessage } from '@/lib/infra/driver-error';
import { confirmPassword } from './authenticate-password';
import { createLink, deleteLinks, openLink, consumeLink, hasReachedMailLimit } from './links';
import { isOperatorEmail } from './operators';

interface EmailChange {
  /** Email address in lower case. */
  readonly email: string;
  readonly password: string;
}

/**
 * Changes the address of the caller's account. With a mail server, the change takes effect when the link in the mail to the
 * new address is opened, otherwise immediately.
 * @returns whether a link was sent to the new address
 * @throws AppError `forbidden` for a wrong password, `invalid` for the present address, `conflict` for one that cannot be
 * used, `rate_limited`, `unavailable` if the mail server does not accept the link
 */
export async function changeEmail(
  ctx: AccountContext,
  { email, password }: EmailChange,
  mailer: Mailer | null,
): Promise<{ confirmationSent: boolean }> {
  const { userId } = ctx.actor;
  await confirmPassword(ctx, password, 'password');
  const account = await ctx.db.account.findUniqueOrThrow({ where: { id: userId }, select: { email: true } });
  if (account.email === email)
    throw new AppError('invalid', { field: 'email', message: 'is already the address of this account' });
  if (!mailer) {
    // Without a mail, nothing proves that this address belongs to the caller, who would become an operator.
    if (isOperatorEmail(ctx, email)) throw addressTakenError();
    await transact(ctx, async (tx) => {
      await deleteLinks(tx, userId);
      await setEmail(tx, { userId, email, isConfirmed: false });
    });
    return { confirmationSent: false };
  }
  if (await hasReachedMailLimit(ctx, 'email-change', userId)) {
    throw new AppError('rate_limited', 'too many confirmation links were sent: try again in an hour', {
      retryAfter: 3_600,
    });
  }
  const url = await createLink(ctx, 'email-change', { userId, email });
  const delivery = mailer.send({
    to: email,
    subject: 'Confirm your new email address',
    text: confirmationText(ctx, url),
  });
  await delivery.catch((error: unknown) => {
    ctx.log.warn({ reason: driverErrorMessage(error) }, 'mail not accepted');
    throw new AppError('unavailable', 'the mail server did not accept the confirmation link, try again', {
      retryAfter: 60,
    });
  });
  return { confirmationSent: true };
}

const confirmationText = ({ settings }: Context, url: string) =>
  `Confirm this address for your account at ${settings.baseUrl}:
${url}

The link works once, within 24 hours. If you did not ask for it, ignore this mail.
`;

/**
 * Changes the email address of an account to the one that the link was sent to.
 * @throws AppError `forbidden` for an invalid link, `conflict`
 */
export async function confirmEmail(ctx: Context, token: string): Promise<{ email: string }> {
  const link = await openLink(ctx, 'email-change', token);
  const { userId, email } = link;
  if (email === null) throw new Error('The email-change link has no address');
  await transact(ctx, async (tx) => {
    await consumeLink(tx, link);
    await setEmail(tx, { userId, email, isConfirmed: true });
  });
  return { email };
}

async function setEmail(
  ctx: Context,
  {
    userId,
    email,
    isConfirmed,
  }: { readonly userId: string; readonly email: string; readonly isConfirmed: boolean },
): Promise<void> {
  // Of concurrent requests for one address, one succeeds. The unique index rejects the others, also as `conflict`.
  const sameAddressCount = await ctx.db.account.count({ where: { email } });
  if (sameAddressCount > 0) throw addressTakenError();
  await ctx.db.account.update({
    where: { id: userId },
    data: { email, emailProvenAt: isConfirmed ? ctx.clock.now() : null },
  });
  await recordAudit(ctx, { action: 'account.email-changed', objectId: userId, userId });
}

/** Error for an address that cannot be used. It is the same for an address of an operator, even without an account. */
const addressTakenError = () =>
  new AppError('conflict', { field: 'email', message: 'this address cannot be used, choose another one' });
