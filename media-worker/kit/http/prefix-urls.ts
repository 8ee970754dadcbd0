const uriLineStart = /^(?=[^#\s])/gm;
const relativeUriAttribute = /(URI=")(?!data:|https?:|\/)/g;

/**
 * Adds a prefix to the URLs of a playlist. URI lines must be relative; absolute URLs in `URI` attributes stay
 * unchanged.
 */
export const prefixUrls = (playlist: string, prefix: string): string =>
  playlist.replace(uriLineStart, prefix).replace(relativeUriAttribute, `$1${prefix}`);
