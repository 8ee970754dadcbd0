/** `Cache-Control` of files that never change under their name. */
export const immutable = 'public, max-age=31536000, immutable';

/**
 * `Cache-Control` of files that may be replaced or deleted. A cache whose origin is unreachable may serve them for
 * five more minutes.
 */
export const oneMinuteCache = 'public, max-age=60, stale-if-error=300';
