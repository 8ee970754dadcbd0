import { mustSetUpFactor, requireOperator, resumeSession } from '@/lib/domain/accounts';
import { authenticateApiKey } from '@/lib/domain/api-keys';
import type { AccountActor, Context, TeamActor } from '@/lib/domain/context';
import type { Endpoint } from '@/lib/contract/define-endpoint';
import { AppError } from '@/lib/core/errors';
import {
  decideKeyAccess,
  disabledKeyMessages,
  isRestrictedKey,
  keyDisabledReason,
} from '@/lib/core/access/key-policy';
import { minRole, roleRejection } from '@/lib/core/access/team-roles';
import { isUuid } from '@/lib/infra/ids';
import { isOwnOrigin } from '@/lib/core/access/origin';
import { type Exchange, contextOf, clientOf, teamContextOf } from './exchange';
import { allowOrigin } from './cors';
import { readSessionClaim } from './sessions/session-cookie';

const MAX_AUTHORIZATION_LENGTH = 512;
const readMethods = new Set(['GET', 'HEAD']);

/**
 * Authenticates the caller and checks access to the endpoint, before input is parsed or looked up, so that ids can't be
 * probed. Sets the actor and the CORS headers on the exchange.
 * @throws AppError `unauthenticated`, `forbidden`, and `bad_request` for an invalid X-Team-Id
 */
export async function authenticate(exchange: Exchange, endpoint: Endpoint): Promise<void> {
  if (endpoint.auth === 'public') {
    admitAnonymous(exchange, endpoint);
    return;
  }
  const authorization = exchange.request.headers.get('authorization');
  const actor =
    authorization === null
      ? await authenticateCookie(exchange, endpoint)
      : await authenticateKey(exchange, endpoint, parseBearer(authorization));
  if (actor) exchange.actor = actor;
  else admitAnonymous(exchange, endpoint);
  if (endpoint.operatorOnly) await requireOperator(teamContextOf(exchange));
}

/** Admits a caller without credentials, and sets the CORS headers for its page. */
function admitAnonymous(exchange: Exchange, endpoint: Endpoint): void {
  const origin = exchange.request.headers.get('origin');
  if (origin === null) return;
  if (!endpoint.ownOriginOnly) allowOrigin(exchange.headers, origin);
  else if (!isOwnOrigin(origin, exchange.services.settings.baseUrl)) throw createForeignOriginError(exchange);
}

/** Authenticates an API key. A key for servers is rejected in browsers; a CORS-enabled key works only from its origins. */
async function authenticateKey(
  exchange: Exchange,
  endpoint: Endpoint,
  secret: string | null,
): Promise<TeamActor> {
  const { services, request, headers } = exchange;
  const key = secret === null ? null : await authenticateApiKey(contextOf(exchange), secret);
  if (!key) throw new AppError('unauthenticated', 'the API key is not valid');
  if (key.expiresAt && key.expiresAt <= services.clock.now()) {
    throw new AppError('unauthenticated', 'the API key has expired');
  }
  services.usage.record(key, services.clock.now(), exchange.ip);
  const origin = request.headers.get('origin');
  const decision = decideKeyAccess(key, endpoint, origin);
  if (decision.allowOrigin !== null) allowOrigin(headers, decision.allowOrigin);
  // Set before the checks below, so that the log of a rejected request names the key.
  exchange.actor = {
    kind: 'key',
    teamId: key.teamId,
    keyId: key.id,
    keyName: key.name,
    corsKey: key.allowedOrigins.length > 0,
    scopes: key.scopes,
    ...(isRestrictedKey(key) ? { restricted: true } : {}),
    ...(key.createdBy === null ? {} : { keyCreator: key.createdBy }),
    ...clientOf(exchange),
  };
  if (key.suspended) throw new AppError('forbidden', 'the team is suspended');
  const disabledReason = keyDisabledReason(key);
  if (disabledReason) throw new AppError('unauthenticated', disabledKeyMessages[disabledReason]);
  if (decision.rejection !== null) throw new AppError('forbidden', decision.rejection);
  return exchange.actor;
}

/** The secret of a Bearer header of at most 512 characters; null for any other header. */
function parseBearer(authorization: string): string | null {
  if (authorization.length > MAX_AUTHORIZATION_LENGTH) return null;
  return /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? null;
}

/**
 * The person of this sign-in session, acting for the team that the page names in `X-Team-Id`, otherwise for the team that
 * was created with the account. Pages of other origins are rejected. Null without a session if the endpoint needs no key.
 */
async function authenticateCookie(exchange: Exchange, endpoint: Endpoint): Promise<AccountActor | null> {
  const { services, request } = exchange;
  const claim = await readSessionClaim(services, request.headers.get('cookie'), services.clock.now());
  if (!claim) return admitWithoutSession(endpoint);
  const origin = request.headers.get('origin');
  const isOwnSite = origin !== null && isOwnOrigin(origin, services.settings.baseUrl);
  if (!isOwnSite && (origin !== null || !readMethods.has(request.method)))
    throw createForeignOriginError(exchange);
  const requestedTeamId = request.headers.get('x-team-id');
  if (requestedTeamId !== null && !isUuid(requestedTeamId))
    throw new AppError('bad_request', { field: 'X-Team-Id', message: 'must be a UUID' });
  const account = await resumeSession(
    contextOf(exchange) satisfies Context,
    claim,
    requestedTeamId ?? claim.userId,
  );
  if (!account) return admitWithoutSession(endpoint);
  const { id: userId, suspended, team } = account;
  if (suspended) throw new AppError('forbidden', 'the account is suspended');
  if (!endpoint.beforeSecondFactor && (await mustSetUpFactor(services, account, claim))) {
    const settingsUrl = `${services.settings.baseUrl}/settings/two-step`;
    throw new AppError('forbidden', `this server requires two-step login: set it up at ${settingsUrl}`);
  }
  if (!team)
    throw new AppError('forbidden', { field: 'X-Team-Id', message: 'you are not a member of this team' });
  const actor: AccountActor = {
    kind: 'session',
    teamId: team.id,
    userId,
    role: team.role,
    sessionId: claim.sessionId,
    ...clientOf(exchange),
  };
  // Set before the checks below, so that the log of a rejected request names the team.
  exchange.actor = actor;
  const stopReason = minRole(endpoint) !== null && team.suspended ? 'the team is suspended' : null;
  const rejection = stopReason ?? roleRejection(team.role, endpoint);
  if (rejection !== null) throw new AppError('forbidden', rejection);
  return actor;
}

/**
 * Admits a caller without a session, if the endpoint requires neither a key nor a session.
 * @throws AppError `unauthenticated`
 */
function admitWithoutSession({ keyOptional }: Endpoint): null {
  if (keyOptional) return null;
  throw new AppError('unauthenticated', 'request is not authenticated');
}

function createForeignOriginError({ services }: Exchange): AppError {
  const { origin } = new URL(services.settings.baseUrl);
  return new AppError('forbidden', `browser sessions work only from ${origin} (BASE_URL)`);
}
