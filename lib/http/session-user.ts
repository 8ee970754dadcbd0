import { headers } from 'next/headers';
import { resumeSession } from '@/lib/accounts';
import { services } from './services';
import { claimOfCookie } from './session-cookie';

export interface SessionUser {
  readonly id: string;
  readonly email: string;
}

/** Who is signed in, for pages; null for nobody, an ended session or a suspended account. */
export async function getSessionUser(): Promise<SessionUser | null> {
  const shared = services();
  const claim = await claimOfCookie(shared, (await headers()).get('cookie'), shared.clock.now());
  if (!claim) return null;
  const { db, clock, log, secrets, settings } = shared;
  const account = await resumeSession(
    { actor: { kind: 'anonymous' }, db, clock, log, secrets, settings },
    claim,
  );
  return account && !account.suspended ? { id: account.id, email: account.email } : null;
}
