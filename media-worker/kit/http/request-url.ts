/** A request target without its query, not percent-decoded. */
export function pathOf(target: string | undefined): string {
  return (target ?? '').split('?', 1)[0] ?? '';
}

/** The path for a log line, without path tokens, because a token would let readers of the log watch the stream. */
export function loggedPathOf(target: string | undefined): string {
  return pathOf(target).replace(/(~|%7e)[\w-]{30,}/gi, '~***');
}

/** The query parameters of a request target. */
export function queryOf(target: string | undefined): URLSearchParams {
  const queryIndex = target?.indexOf('?') ?? -1;
  return new URLSearchParams(queryIndex === -1 ? '' : target?.slice(queryIndex));
}

/** A query parameter of a request target; null if absent. */
export function queryValue(target: string | undefined, name: string): string | null {
  return queryOf(target).get(name);
}
