import type { Endpoint } from '@/lib/contract/define-endpoint';
import { baseUrl, type Person, type RequestOptions, type TestApi } from './test-api';

/** The caller of a valid call: an API key where keys are allowed, otherwise a dashboard session. */
export function callerOf(endpoint: Endpoint, person: Person): RequestOptions {
  if (endpoint.auth === 'key-or-session') return { key: person.key };
  if (endpoint.auth === 'session') return { cookie: person.cookie, origin: baseUrl };
  return endpoint.ownOriginOnly ? { origin: baseUrl } : {};
}

/** Whether the call ends the caller's session or account. */
const endsSessions = ({ path }: Endpoint): boolean =>
  /^\/api\/dashboard\/(account\/|password-reset$|email-confirmation$)/.test(path);

/** Returns the person who makes the call: a new person, if the call ends the session or the account. */
export async function preparePerson(api: TestApi, endpoint: Endpoint, person: Person): Promise<Person> {
  return endsSessions(endpoint) ? api.createPerson('leaving') : person;
}

let valueCount = 0;

/**
 * The example body with the values that belong to this person: their password, a new address for a sign-up, and for
 * an import a file that is not being imported already.
 */
export function bodyFor(endpoint: Endpoint, person: Person): Record<string, unknown> {
  const body = { ...(endpoint.example.body as Record<string, unknown> | undefined) };
  for (const name of ['password', 'currentPassword']) if (name in body) body[name] = person.password;
  if ('email' in body)
    body['email'] = endsSessions(endpoint) ? person.email : `new-${(valueCount += 1)}@example.com`;
  if (endpoint.path.startsWith('/api/asset') && 'url' in body)
    body['url'] = `https://example.com/${(valueCount += 1)}.mp4`;
  return body;
}
