const HERE = 'http://here.invalid';

/** Where to go after logging in: a path of this site, never another site; "/" for everything else. */
export function nextPath(wanted: string | null | undefined): string {
  if (!wanted?.startsWith('/') || !URL.canParse(wanted, HERE)) return '/';
  const url = new URL(wanted, HERE);
  if (url.origin !== HERE || url.pathname.startsWith('/login') || url.pathname.startsWith('/api/'))
    return '/';
  return `${url.pathname}${url.search}${url.hash}`;
}
