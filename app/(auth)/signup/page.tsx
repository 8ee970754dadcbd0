import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { getTranslations } from '@/app/messages';
import { pathAfterLogIn } from '@/lib/core/access/own-path';
import type { SignUpRefusal } from '@/lib/core/accounts/invitation-state';
import { admitVisitor, getSessionUser, invitedTeam, issuerName } from '@/lib/http/sessions/session-user';
import { ContinueAtIssuer } from '../continue-at-issuer';
import { SignUpForm } from './sign-up-form';

const createCommand = 'npm run cli -- account:create';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('auth.signUp'))('tab') };
}

type SearchParams = Promise<{ next?: string | string[]; invitation?: string | string[] }>;

const single = (value: string | string[] | undefined) => (typeof value === 'string' ? value : undefined);

export default async function SignUpPage({ searchParams }: { searchParams: SearchParams }) {
  const t = await getTranslations('auth.signUp');
  const query = await searchParams;
  const invitation = single(query.invitation);
  const next = pathAfterLogIn(single(query.next));
  if (await getSessionUser()) redirect(next);
  const logInPath = next === '/' ? '/login' : `/login?next=${encodeURIComponent(next)}`;
  const [decision, invitedTeamName] = await Promise.all([
    admitVisitor(invitation),
    invitedTeam(invitation ?? ''),
  ]);
  const issuer = issuerName();
  return (
    <>
      {'refused' in decision ? (
        <Refused why={decision.refused} />
      ) : (
        <>
          <h1 className="text-2xl font-semibold tracking-tight">{t('title')}</h1>
          <p className="text-ink-2 mt-1 mb-8">{invitation === undefined ? t('text') : t('invited')}</p>
          {issuer !== null && <ContinueAtIssuer name={issuer} next={pageAfterIssuer(invitation, next)} />}
          <SignUpForm
            next={next}
            invitation={invitation}
            email={decision.invitedEmail ?? undefined}
            teamId={invitedTeamName?.teamId}
          />
        </>
      )}
      <p className="text-ink-2 mt-6">
        {t.rich('haveAccount', {
          link: (text) => (
            <Link href={logInPath} className="text-accent-ink font-medium underline underline-offset-4">
              {text}
            </Link>
          ),
        })}
      </p>
    </>
  );
}

/**
 * The page to open after signing in at the issuer: with the invitation, because an invitation without an email
 * address cannot be found by the address that the issuer reports.
 */
const pageAfterIssuer = (invitation: string | undefined, next: string) =>
  invitation === undefined ? next : `/signup?${new URLSearchParams({ invitation, next }).toString()}`;

async function Refused({ why }: { why: SignUpRefusal }) {
  const t = await getTranslations('auth.signUp');
  const code = () => <code>{createCommand}</code>;
  const [title, text] =
    why === 'closed'
      ? [t('closed'), t.rich('closedText', { code })]
      : why === 'invitation_missing'
        ? [t('byInvitation'), t('byInvitationText')]
        : [t('badInvitation'), t('badInvitationText')];
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
      <p className="text-ink-2 mt-1">{text}</p>
    </>
  );
}
