import { cookies, headers } from 'next/headers';
import { cache } from 'react';
import {
  accountsExist,
  decideSignUp,
  isOperatorEmail,
  mustSetUpFactor,
  readTeamInvitation,
  resumeSession,
} from '@/lib/domain/accounts';
import type { AccountContext } from '@/lib/domain/context';
import { teamCookieName } from '@/lib/core/access/shared-names';
import type { TeamRole } from '@/lib/core/access/team-roles';
import { relyingPartyIdOf } from '@/lib/core/accounts/sign-in-steps';
import { acceptedMedia } from '@/lib/core/media/media-policy';
import { getServices } from '@/lib/http/services';
import { isUuid } from '@/lib/infra/ids';
import { readSessionClaim } from './session-cookie';

export interface SessionUser {
  readonly id: string;
  readonly email: string;
  /** Whether the user is an operator of the service. */
  readonly operator: boolean;
  /** The team that the pages show. */
  readonly team: { readonly id: string; readonly name: string; readonly role: TeamRole };
  /** Whether the user must set up two-step login before anything else (REQUIRE_SECOND_FACTOR). */
  readonly mustSetUpFactor: boolean;
}

/** The signed-in user for pages; null without a session, or for a suspended account. Read once per page. */
export const getSessionUser = cache(async (): Promise<SessionUser | null> => {
  const services = getServices();
  const claim = await readSessionClaim(services, (await headers()).get('cookie'), services.clock.now());
  if (!claim) return null;
  const ctx = { actor: { kind: 'anonymous' } as const, ...pickServices(services) };
  const teamIdOfCookie = (await cookies()).get(teamCookieName)?.value;
  const session = await resumeSession(
    ctx,
    claim,
    teamIdOfCookie !== undefined && isUuid(teamIdOfCookie) ? teamIdOfCookie : claim.userId,
  );
  // The user may have left the chosen team.
  const account = session?.team?.suspended === false ? session : await resumeSession(ctx, claim);
  if (!account?.team || account.suspended) return null;
  const { id, email, team } = account;
  const mustSetUp = await mustSetUpFactor(services, account, claim);
  return { id, email, operator: isOperatorEmail(services, email), team, mustSetUpFactor: mustSetUp };
});

/** Whether visitors may create accounts. */
export const isSignUpOpen = (): boolean => getServices().settings.signUp === 'open';

/** Features of this server for pages, by its settings. */
export function getServerFeatures() {
  const { acceptMedia, geoipDb, speech } = getServices().settings;
  // The dashboard requests a conversion with every upload.
  return {
    acceptMedia: acceptedMedia(acceptMedia, { convert: true }),
    knowsCountries: geoipDb !== undefined,
    speechLanguages: speech?.languages ?? [],
  };
}

/** Display name of the OIDC issuer; null without one. */
export const getIssuerName = (): string | null => getServices().settings.oidc?.name ?? null;
/** Whether browsers offer passkeys for the host of BASE_URL. */
export const offersPasskeys = (): boolean => relyingPartyIdOf(getServices().settings.baseUrl) !== null;

/** Whether the service can send password reset mails. */
export const sendsMail = (): boolean => getServices().settings.mail !== undefined;

/**
 * Why a visitor may not sign up, or the email address of their invitation.
 * @param token token of the invitation
 */
export const decideVisitorSignUp = (token: string | undefined) =>
  decideSignUp({ actor: { kind: 'anonymous' }, ...pickServices(getServices()) }, { token, email: null });

/** The team and email address of an invitation link; null for an invalid link. */
export const readInvitedTeam = (token: string) =>
  readTeamInvitation({ actor: { kind: 'anonymous' }, ...pickServices(getServices()) }, token);

/** Whether a visitor can create the first account: sign-up is open, and the service has no account. */
export async function isFreshInstall(): Promise<boolean> {
  const ctx = { actor: { kind: 'anonymous' } as const, ...pickServices(getServices()) };
  return isSignUpOpen() && !(await accountsExist(ctx));
}

/** The context of the signed-in user for domain functions; null without one. */
export async function getSessionContext(): Promise<AccountContext | null> {
  const user = await getSessionUser();
  if (!user) return null;
  const { id: userId, team } = user;
  return {
    actor: { kind: 'session', teamId: team.id, userId, role: team.role },
    ...pickServices(getServices()),
  };
}

const pickServices = ({ db, clock, log, secrets, settings }: ReturnType<typeof getServices>) => ({
  db,
  clock,
  log,
  secrets,
  settings,
});
