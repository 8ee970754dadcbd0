import type { Context, SystemContext } from '@/lib/domain/context';
import { linkLimits, MAIL_COUNT_WINDOW_MS, type LinkPurpose } from '@/lib/core/accounts/link-limits';
import { AppError } from '@/lib/core/errors';
import { deleteInBatches } from '@/lib/infra/db';
import { isUuid, newId } from '@/lib/infra/ids';

type Purpose = LinkPurpose | 'invitation';

/**
 * Token of a one-time link: an id (32 characters) and its signature (43) under a key derived from APP_SECRET. The database
 * stores whether a link is still valid; its rows are not sufficient to create a token (ADR 39).
 */
const tokenPattern = /^([0-9a-f]{32})([\w-]{43})$/;

const signingPurpose = 'account-links';

const createToken = ({ secrets }: Pick<Context, 'secrets'>, purpose: Purpose, id: string): string =>
  `${id.replaceAll('-', '')}${secrets.sign(signingPurpose, `${purpose}\0${id}`).toString('base64url')}`;

/** The id in a token; null if the token is incomplete, forged or for another purpose. */
export function readLinkToken(
  { secrets }: Pick<Context, 'secrets'>,
  purpose: Purpose,
  token: string,
): string | null {
  const [, idHex, signature] = tokenPattern.exec(token) ?? [];
  if (idHex === undefined || signature === undefined) return null;
  const id = idHex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return isUuid(id) && secrets.verify(signingPurpose, `${purpose}\0${id}`, signature) ? id : null;
}

/**
 * Paths of the pages that links open. The token of an account link is in the fragment, which browsers do not send, so it is
 * in no access log. The token of an invitation is in the query.
 */
const pagePaths: Readonly<Record<Purpose, string>> = {
  'password-reset': '/reset-password#',
  'email-change': '/confirm-email#',
  invitation: '/signup?invitation=',
};

/**
 * URL of a link's page, with the signed token.
 * @param id id of the row of the link or invitation
 */
export const urlOfLink = (ctx: Pick<Context, 'secrets' | 'settings'>, purpose: Purpose, id: string): string =>
  `${ctx.settings.baseUrl}${pagePaths[purpose]}${createToken(ctx, purpose, id)}`;

/** URL of the page where a person joins the team of an invitation, or signs up with it. */
export const urlOfTeamInvitation = (ctx: Pick<Context, 'secrets' | 'settings'>, id: string): string =>
  `${ctx.settings.baseUrl}/join?invitation=${createToken(ctx, 'invitation', id)}`;

/**
 * Creates a one-time link.
 * @param email new address, only for the purpose `email-change`
 * @returns URL of the link
 */
export async function createLink(
  ctx: Context,
  purpose: LinkPurpose,
  { userId, email }: { readonly userId: string; readonly email?: string },
): Promise<string> {
  const id = newId();
  const createdAt = ctx.clock.now();
  const expiresAt = new Date(createdAt.getTime() + linkLimits[purpose].lifetimeMs);
  await ctx.db.accountLink.create({
    data: { id, userId, purpose, email: email ?? null, createdAt, expiresAt },
  });
  return urlOfLink(ctx, purpose, id);
}

/** Whether the account has reached the hourly limit of mails for this purpose. */
export async function hasReachedMailLimit(
  ctx: Context,
  purpose: LinkPurpose,
  userId: string,
): Promise<boolean> {
  const since = new Date(ctx.clock.now().getTime() - MAIL_COUNT_WINDOW_MS);
  const mailCount = await ctx.db.accountLink.count({ where: { userId, purpose, createdAt: { gt: since } } });
  return mailCount >= linkLimits[purpose].mailsPerHour;
}

/** Error for every invalid token; it must not reveal the reason. */
const invalidLinkError = () =>
  new AppError('forbidden', {
    field: 'token',
    message: 'this link is incomplete, has expired or was used already. Request a new one.',
  });

/**
 * Reads a valid link with its account.
 * @throws AppError `forbidden` for an invalid token
 */
export async function openLink(
  ctx: Context,
  purpose: LinkPurpose,
  token: string,
): Promise<{ id: string; userId: string; email: string | null; account: { email: string } }> {
  const id = readLinkToken(ctx, purpose, token);
  const link =
    id &&
    (await ctx.db.accountLink.findFirst({
      where: { id, purpose, expiresAt: { gt: ctx.clock.now() }, account: { suspended: false } },
      select: { id: true, userId: true, email: true, account: { select: { email: true } } },
    }));
  if (!link) throw invalidLinkError();
  return link;
}

/**
 * Marks a link as used and deletes all other links of the account. Of concurrent callers, one succeeds.
 * @throws AppError `forbidden`
 */
export async function consumeLink(
  { db }: Context,
  { id, userId }: { readonly id: string; readonly userId: string },
): Promise<void> {
  const { count } = await db.accountLink.deleteMany({ where: { id } });
  if (count === 0) throw invalidLinkError();
  await deleteLinks({ db }, userId);
}

/** Deletes the links of an account after its password or address changed. */
export async function deleteLinks({ db }: Pick<Context, 'db'>, userId: string): Promise<void> {
  await db.accountLink.deleteMany({ where: { userId } });
}

/**
 * Deletes links that have expired.
 * @returns their number
 */
export function expireLinks({ db, clock }: SystemContext): Promise<number> {
  return deleteInBatches(
    (limit) => db.$executeRaw`
      delete from "AccountLink" where "id" in (
        select "id" from "AccountLink" where "expiresAt" < ${clock.now()} limit ${limit})`,
  );
}
