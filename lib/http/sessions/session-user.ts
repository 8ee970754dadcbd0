import { headers } from 'next/headers';
import { cache } from 'react';
import { accountsExist, decideSignUp, isOperatorAddress, resumeSession } from '@/lib/accounts';
import type { AccountContext } from '@/lib/context';
import { services } from '@/lib/http/services';
import { claimOfCookie } from './session-cookie';

export interface SessionUser {
  readonly id: string;
  readonly email: string;
  /** Operates the service. */
  readonly operator: boolean;
}

/** The signed-in user, for pages; null without a session or with a suspended account. Read once per page. */
export const getSessionUser = cache(async (): Promise<SessionUser | null> => {
  const shared = services();
  const claim = await claimOfCookie(shared, (await headers()).get('cookie'), shared.clock.now());
  if (!claim) return null;
  const account = await resumeSession({ actor: { kind: 'anonymous' }, ...pickServices(shared) }, claim);
  if (!account || account.suspended) return null;
  const { id, email } = account;
  return { id, email, operator: isOperatorAddress(shared, email) };
});

/** Whether visitors may create accounts. */
export const signUpIsOpen = (): boolean => services().settings.signUp === 'open';

/** What people call the issuer that they can sign in at; null without one. */
export const issuerName = (): string | null => services().settings.oidc?.name ?? null;
/** Whether links to set a new password can be mailed. */
export const sendsMail = (): boolean => services().settings.mail !== undefined;

/** Why a visitor may not sign up; otherwise the address that their invitation is for. @param token of the invitation */
export const admitVisitor = (token: string | undefined) =>
  decideSignUp({ actor: { kind: 'anonymous' }, ...pickServices(services()) }, { token, email: null });

/** Whether the next visitor is the first, who has nothing to log in with. */
export async function isFreshInstall(): Promise<boolean> {
  const ctx = { actor: { kind: 'anonymous' } as const, ...pickServices(services()) };
  return signUpIsOpen() && !(await accountsExist(ctx));
}

/** The context of a verb for pages, acting for the signed-in user; null without one. */
export async function getSessionContext(): Promise<AccountContext | null> {
  const user = await getSessionUser();
  return (
    user && { actor: { kind: 'session', teamId: user.id, userId: user.id }, ...pickServices(services()) }
  );
}

const pickServices = ({ db, clock, log, secrets, settings }: ReturnType<typeof services>) => ({
  db,
  clock,
  log,
  secrets,
  settings,
});
