import { redirect } from 'next/navigation';
import { settingsHref } from '@/components/settings/settings-sections';
import { getSessionUser, isFreshInstall, type SessionUser } from '@/lib/http/sessions/session-user';

type SearchParams = Promise<Record<string, string | string[] | undefined>>;

const setUpPath = settingsHref('two-step');

/**
 * Redirects visitors without a session to the sign-in page, which leads back to this page; from `/` of an installation
 * without accounts to the sign-up page. People who must set up two-step login are redirected to its page.
 * @returns the signed-in person
 */
export async function requireUser(
  path: string,
  searchParams?: SearchParams,
): Promise<Pick<SessionUser, 'email' | 'operator' | 'mustSetUpFactor'>> {
  const user = await getSessionUser();
  if (user) {
    if (user.mustSetUpFactor && path !== setUpPath) redirect(setUpPath);
    return user;
  }
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries((await searchParams) ?? {})) {
    for (const singleValue of [value].flat()) if (singleValue !== undefined) query.append(name, singleValue);
  }
  const currentPath = query.size > 0 ? `${path}?${query.toString()}` : path;
  if (currentPath === '/') redirect((await isFreshInstall()) ? '/signup' : '/login');
  redirect(`/login?next=${encodeURIComponent(currentPath)}`);
}
