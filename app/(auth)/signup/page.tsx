import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { getTranslations } from '@/app/messages';
import { pathAfterLogIn } from '@/lib/core/access/own-path';
import type { SignUpRejection } from '@/lib/core/accounts/invitation-state';
import {
  decideVisitorSignUp,
  getSessionUser,
  readInvitedTeam,
  getIssuerName,
} from '@/lib/http/sessions/session-user';
import { ContinueAtIssuerButton } from '../continue-at-issuer';
import { SignUpForm } from './sign-up-form';

const createCommand = 'npm run cli -- account:create';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('auth.signUp'))('tab') };
}

type SearchParams = Promise<{ next?: string | string[]; invitation?: string | string[] }>;

const singleValue = (value: string | string[] | undefined) => (typeof value === 'string' ? value : undefined);

export default async function SignUpPage({ searchParams }: { searchParams: SearchParams }) {
  const t = await getTranslations('auth.signUp');
  const query = await searchParams;
  const invitation = singleValue(query.invitation);
  const next = pathAfterLogIn(singleValue(query.next));
  if (await getSessionUser()) redirect(next);
  const logInPath = next === '/' ? '/login' : `/login?next=${encodeURIComponent(next)}`;
  const [decision, invitingTeam] = await Promise.all([
    decideVisitorSignUp(invitation),
    readInvitedTeam(invitation ?? ''),
  ]);
  const issuer = getIssuerName();
  return (
    <>
      {'rejected' in decision ? (
        <SignUpRejected rejection={decision.rejected} />
      ) : (
        <>
          <h1 className="text-2xl font-semibold tracking-tight">{t('title')}</h1>
          <p className="text-ink-2 mt-1 mb-8">{invitation === undefined ? t('text') : t('invited')}</p>
          {issuer !== null && (
            <ContinueAtIssuerButton name={issuer} next={pathAfterIssuer(invitation, next)} />
          )}
          <SignUpForm
            next={next}
            invitation={invitation}
            email={decision.invitedEmail ?? undefined}
            teamId={invitingTeam?.teamId}
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
 * Path of the page that opens after the sign-in at the issuer. It contains the invitation, because an invitation without
 * an email address can't be found by the address that the issuer reports.
 */
const pathAfterIssuer = (invitation: string | undefined, next: string) =>
  invitation === undefined ? next : `/signup?${new URLSearchParams({ invitation, next }).toString()}`;

async function SignUpRejected({ rejection }: { rejection: SignUpRejection }) {
  const t = await getTranslations('auth.signUp');
  const code = () => <code>{createCommand}</code>;
  const [title, text] =
    rejection === 'closed'
      ? [t('closed'), t.rich('closedText', { code })]
      : rejection === 'invitation_missing'
        ? [t('byInvitation'), t('byInvitationText')]
        : [t('badInvitation'), t('badInvitationText')];
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
      <p className="text-ink-2 mt-1">{text}</p>
    </>
  );
}
