import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { getTranslations } from '@/app/messages';
import { decideVisitorSignUp, getSessionUser, readInvitedTeam } from '@/lib/http/sessions/session-user';
import { JoinTeamForm } from './join-team';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('auth.join'))('tab') };
}

type SearchParams = Promise<{ invitation?: string | string[] }>;

/** Page of the link that invites a person to a team. The person joins the team here, after a log-in or sign-up. */
export default async function JoinPage({ searchParams }: { searchParams: SearchParams }) {
  const t = await getTranslations('auth.join');
  const { invitation } = await searchParams;
  const token = typeof invitation === 'string' ? invitation : '';
  const openInvitation = await readInvitedTeam(token);
  if (!openInvitation) {
    return (
      <>
        <h1 className="text-2xl font-semibold tracking-tight">{t('bad')}</h1>
        <p className="text-ink-2 mt-1">{t('badText')}</p>
      </>
    );
  }
  const { teamName: name, email, invitedBy: inviter } = openInvitation;
  const role = t(`roles.${openInvitation.role}`);
  const introduction = inviter === null ? t('textWithoutPerson', { role }) : t('text', { by: inviter, role });
  const user = await getSessionUser();
  if (user?.email === email) {
    return (
      <>
        <h1 className="text-2xl font-semibold tracking-tight">{t('title', { name })}</h1>
        <p className="text-ink-2 mt-1 mb-8 wrap-anywhere">{introduction}</p>
        <JoinTeamForm invitation={token} />
      </>
    );
  }
  const next = `/join?invitation=${encodeURIComponent(token)}`;
  const maySignUp = !('rejected' in (await decideVisitorSignUp(token)));
  if (user) {
    return (
      <>
        <h1 className="text-2xl font-semibold tracking-tight">{t('title', { name })}</h1>
        <p className="text-ink-2 mt-1 wrap-anywhere">
          {introduction} {t('otherAddress', { email, own: user.email })}
        </p>
      </>
    );
  }
  const logInPath = `/login?next=${encodeURIComponent(next)}`;
  if (!maySignUp) redirect(logInPath);
  const linkClass = 'text-accent-ink font-medium underline underline-offset-4';
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">{t('title', { name })}</h1>
      <p className="text-ink-2 mt-1 mb-8 wrap-anywhere">
        {introduction} {t('visitor', { email })}
      </p>
      <p className="grid gap-3">
        <Link href={`/signup?invitation=${encodeURIComponent(token)}`} className={linkClass}>
          {t('signUp')}
        </Link>
        <Link href={logInPath} className={linkClass}>
          {t('logIn')}
        </Link>
      </p>
    </>
  );
}
