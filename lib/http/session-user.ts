import { headers } from 'next/headers';
import { cache } from 'react';
import { resumeSession } from '@/lib/accounts';
import type { AccountContext } from '@/lib/context';
import { services } from './services';
import { claimOfCookie } from './session-cookie';

export interface SessionUser {
  readonly id: string;
  readonly email: string;
}

/** Who is signed in, for pages; null for nobody, an ended session or a suspended account. Asked once for a page. */
export const getSessionUser = cache(async (): Promise<SessionUser | null> => {
  const shared = services();
  const claim = await claimOfCookie(shared, (await headers()).get('cookie'), shared.clock.now());
  if (!claim) return null;
  const account = await resumeSession({ actor: { kind: 'anonymous' }, ...wantedOf(shared) }, claim);
  return account && !account.suspended ? { id: account.id, email: account.email } : null;
});

/** Whether visitors may create accounts. */
export const signUpIsOpen = (): boolean => services().settings.signUp === 'open';

/** What verbs need, acting for whoever is signed in, for what pages read; null for nobody. */
export async function getSessionContext(): Promise<AccountContext | null> {
  const user = await getSessionUser();
  return user && { actor: { kind: 'session', userId: user.id }, ...wantedOf(services()) };
}

const wantedOf = ({ db, clock, log, secrets, settings }: ReturnType<typeof services>) => ({
  db,
  clock,
  log,
  secrets,
  settings,
});
