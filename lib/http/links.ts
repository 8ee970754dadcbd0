/**
 * The `Link` header of a page that is followed by another one. Built on BASE_URL, never on the
 * Host header, which the caller chooses.
 */
export function nextLink(baseUrl: string, requestUrl: string, cursor: string): string {
  const { pathname, searchParams } = new URL(requestUrl);
  searchParams.set('cursor', cursor);
  return `<${baseUrl}${pathname}?${searchParams.toString()}>; rel="next"`;
}
